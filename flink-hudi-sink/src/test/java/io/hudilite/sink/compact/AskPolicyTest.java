package io.hudilite.sink.compact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AskPolicyTest {
  private final AskPolicy policy = new AskPolicy();

  @Test
  void pausesDoubleUpToHalfAMinute() {
    assertThat(policy.onFailure()).isEqualTo(200);
    assertThat(policy.onFailure()).isEqualTo(400);
    for (int i = 0; i < 100; i++) {
      assertThat(policy.onFailure()).isBetween(800L, 30_000L);
    }
    assertThat(policy.onFailure()).isEqualTo(30_000);
    policy.onAnswer();
    assertThat(policy.onFailure()).isEqualTo(200);
  }

  @Test
  void hopelessnessIsToldOnceAfterSomeMinutes() {
    long waited = 0;
    int told = 0;
    long waitedBefore = 0;
    for (int i = 0; i < 200; i++) {
      waited += policy.onFailure();
      if (policy.hasBecomeHopeless()) {
        told++;
        waitedBefore = waited;
      }
    }
    assertThat(told).isEqualTo(1);
    assertThat(waitedBefore).isBetween(120_000L, 600_000L);
  }
}
