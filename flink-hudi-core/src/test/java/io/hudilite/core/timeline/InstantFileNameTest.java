package io.hudilite.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InstantFileNameTest {
  private static Optional<Instant> parse(String name) {
    return InstantFileName.parse(name, 0, ZoneOffset.UTC);
  }

  @Property(tries = 300)
  void namesAreReadAsWritten(
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long requestedMillis,
      @ForAll @LongRange(min = 1, max = 1_000_000) long duration,
      @ForAll Action action) {
    InstantTime requested = InstantTime.ofUtcMillis(requestedMillis);
    InstantTime completed = InstantTime.ofUtcMillis(requestedMillis + duration);

    for (Instant instant :
        new Instant[] {
          new Instant.Requested(requested, action),
          new Instant.Inflight(requested, action),
          Instant.Completed.of(requested, completed, action)
        }) {
      assertThat(parse(instant.fileName())).contains(instant);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "history",
        ".20260101000000000.deltacommit.uuid.tmp",
        "20260101000000000.deltacommit.0bd1c0a2-2f5c-4ab1-8f1c-7d2b8a3a1f11",
        "20260101000000000_20260101000000001.unknown",
        "20260101000000000_20260101000000001.deltacommit.requested2",
        "hoodie.properties",
        "20260101000000000"
      })
  void otherFilesAreIgnored(String name) {
    assertThat(parse(name)).isEmpty();
  }

  @Test
  void legacyNameCompletesWhenItWasWritten() {
    Instant.Completed completed =
        (Instant.Completed)
            InstantFileName.parse("20251018120000000.commit", 1_760_788_900_000L, ZoneOffset.UTC)
                .orElseThrow();

    assertThat(completed.completionTime()).hasToString("20251018120140000");
    assertThat(completed.fileName()).isEqualTo("20251018120000000.commit");
  }
}
