package dev.rondo.history.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RewindTimeTest {
  private static Policies policy(String heartbeat, String... archives) {
    return PoliciesFile.parse(
        """
        policies:
          - name: p
            match: '.*'
            step: 10s
            heartbeat: %s
            archives: ["%s"]
        """
            .formatted(heartbeat, String.join("\", \"", archives)));
  }

  private static long ms(String time) {
    return Instant.parse("2026-03-01T" + time + "Z").toEpochMilli();
  }

  private static String time(RewindTime from) {
    return Instant.ofEpochMilli(from.timeMs()).toString().substring(11, 19);
  }

  /** The slot that holds the time, a heartbeat, a minute. */
  @ParameterizedTest
  @CsvSource({
    "12:34:56, 2m, 10s:6h,       12:31:50",
    "12:34:56, 2m, 10s:6h/1h:1y, 11:57:00",
    "12:00:00, 2m, 10s:6h/1h:1y, 11:57:00",
    "12:00:01, 2m, 10s:6h/1h:1y, 11:57:00",
    "11:59:59, 2m, 10s:6h/1h:1y, 10:57:00",
    "12:34:56, 5m, 10s:6h/1m:7d, 12:28:00"
  })
  void shouldReachBackToTheBeginningOfTheFirstSlot(
      String time, String heartbeat, String archives, String expected) {
    Policies policies = policy(heartbeat, archives.split("/"));
    assertThat(time(RewindTime.completeSlotsAfter(policies, ms(time)))).isEqualTo(expected);
  }

  @Test
  void shouldUseTheSlotThatBeginsFirstEvenIfNotTheCoarsest() {
    Policies policies = policy("10s", "40m:1d", "1h:1d");
    // since the epoch 12:00 is a multiple of both, 12:40 of 40 minutes, 13:00 of an hour
    assertThat(time(RewindTime.completeSlotsAfter(policies, ms("13:10:00")))).isEqualTo("12:38:50");
  }

  @Test
  void shouldUseThePolicyThatReachesBackFurthest() {
    Policies policies =
        PoliciesFile.parse(
            """
            policies:
              - {name: slow, match: '^s', step: 1m, heartbeat: 2h, archives: ["1m:1d"]}
              - {name: fast, match: '.*', step: 10s, heartbeat: 1m, archives: ["10s:1d", "1h:1y"]}
            """);
    RewindTime from = RewindTime.completeSlotsAfter(policies, ms("12:34:56"));
    assertThat(time(from)).isEqualTo("10:33:00");
    assertThat(from.why())
        .isEqualTo(
            "a slot of 1m of policy slow begins at 2026-03-01T12:34:00Z, less 2h of heartbeat and"
                + " 1m for fast clocks");
  }

  /** The hour begins at 12:00; heartbeat 2 min, reorder window 30 s, a minute. */
  @Test
  void shouldReachBackBeyondTheReorderWindow() {
    Policies policies =
        PoliciesFile.parse(
            """
            policies:
              - {name: p, match: '.*', step: 10s, heartbeat: 2m, reorder: 30s, archives: ["1h:1y"]}
            """);
    assertThat(time(RewindTime.completeSlotsAfter(policies, ms("12:34:56")))).isEqualTo("11:56:30");
    assertThat(time(RewindTime.openSlotsAt(policies, ms("12:03:31"), 0))).isEqualTo("11:56:30");
    assertThat(time(RewindTime.openSlotsAt(policies, ms("12:03:29"), 0))).isEqualTo("10:56:30");
  }

  /**
   * At 12:01 the hour before may still be open: it ended less than the heartbeat and the buffering
   * times ago.
   */
  @ParameterizedTest
  @CsvSource({
    "12:01:00, 10:57:00",
    "12:03:29, 10:57:00",
    "12:03:30, 11:57:00",
    "12:59:00, 11:57:00"
  })
  void shouldReachBackToSlotsThatMayBeOpen(String position, String expected) {
    Policies policies = policy("2m", "10s:6h", "1h:1y");
    assertThat(time(RewindTime.openSlotsAt(policies, ms(position), 30_000))).isEqualTo(expected);
  }

  @Test
  void shouldReportIncompleteSlots() {
    Policies policies = policy("2m", "10s:6h", "max:10s:6h", "1m:7d", "1h:1y");
    assertThat(IncompleteSlots.describe(policies, ms("12:00:05"), 0))
        .isEqualTo(
            "policy p: 10s to 2026-03-01T12:02:10Z, 1m to 2026-03-01T12:03:00Z, 1h to"
                + " 2026-03-01T13:00:00Z");
    assertThat(IncompleteSlots.describe(policies, ms("12:00:05"), ms("12:40:00")))
        .as("only the hour that holds 12:40 begins too early")
        .isEqualTo("policy p: 1h to 2026-03-01T13:00:00Z");
    assertThat(IncompleteSlots.describe(policies, ms("11:57:00"), ms("12:40:00"))).isEmpty();
  }
}
