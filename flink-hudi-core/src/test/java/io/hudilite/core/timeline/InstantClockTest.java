package io.hudilite.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class InstantClockTest {
  private final AtomicLong wall = new AtomicLong(1_764_000_000_000L);

  private InstantClock clock(ZoneId zone) {
    return new InstantClock(() -> Instant.ofEpochMilli(wall.get()), zone);
  }

  @Property(tries = 200)
  void timesRiseWhateverTheWallClockDoes(
      @ForAll @Size(max = 50) java.util.List<@IntRange(min = -5000, max = 5000) Integer> steps) {
    InstantClock clock = clock(ZoneOffset.UTC);
    InstantTime last = clock.next();
    for (int step : steps) {
      wall.addAndGet(step);
      InstantTime next = clock.next();
      assertThat(next).isGreaterThan(last);
      last = next;
    }
  }

  @Test
  void newTimesLieAfterWhatWasSeen() {
    InstantClock clock = clock(ZoneOffset.UTC);
    clock.observe(new InstantTime("20991231235959999"));

    assertThat(clock.next()).isEqualTo(new InstantTime("21000101000000000"));
    clock.observe(new InstantTime("20000101000000000"));
    assertThat(clock.next()).isEqualTo(new InstantTime("21000101000000001"));
  }

  @Test
  void secondsOfOldTablesCountAsTheirEnd() {
    InstantClock clock = clock(ZoneOffset.UTC);
    clock.observe(new InstantTime("20991231235958"));

    assertThat(clock.next()).isEqualTo(new InstantTime("20991231235959000"));
  }

  @Test
  void timesRiseWhereTheZoneSetsItsClocksBack() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    InstantClock clock = clock(zone);
    // Half past two comes twice on this day: first in summer time, then in winter time.
    wall.set(Instant.parse("2026-10-25T00:30:00Z").toEpochMilli());
    InstantTime first = clock.next();
    wall.set(Instant.parse("2026-10-25T01:10:00Z").toEpochMilli());
    InstantTime second = clock.next();

    assertThat(first).hasToString("20261025023000000");
    assertThat(second).hasToString("20261025023000001");
    wall.set(Instant.parse("2026-10-25T02:00:00Z").toEpochMilli());
    assertThat(clock.next()).hasToString("20261025030000000");
  }
}
