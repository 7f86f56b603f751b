package dev.rondo.history.whisper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.history.locations.Location;
import dev.rondo.history.slots.SlotWriter.Slots;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final long MINUTE_MS = 60_000;

  /** A time in the middle of a slot. */
  private static final long NOW_MS = 1_700_000_000_000L / 3_600_000 * 3_600_000 + 90_000;

  private static final Policy POLICY =
      PoliciesFile.parse(
              "policies: [{name: p, match: '.*', step: 1m, heartbeat: 0, archives: ['1m:2h', '5m:1d']}]")
          .inOrder()
          .get(0);

  @Test
  void shouldCoverWhatTheArchivesKeepInGroupsOfLimitedSize() {
    for (int maxSlots : new int[] {7, 100, 10_000}) {
      List<Slots> slots = slots(Long.MAX_VALUE, maxSlots, location(0, Long.MAX_VALUE), List.of());
      List<Long> ends =
          slots.stream()
              .filter(each -> each.archive().shape().stepMs() == MINUTE_MS)
              .map(Slots::endMs)
              .toList();
      assertThat(ends).hasSize(119).isSorted().doesNotHaveDuplicates();
      assertThat(ends.get(118)).as("the newest slot that is over").isEqualTo(NOW_MS - 30_000);
      assertThat(slots).hasSize(119 + 287);
    }
  }

  @Test
  void shouldEndAtTheLimit() {
    long untilMs = NOW_MS - 10 * MINUTE_MS;
    assertThat(slots(untilMs, 1000, location(0, Long.MAX_VALUE), List.of()))
        .isNotEmpty()
        .allMatch(each -> each.endMs() <= untilMs);
  }

  @Test
  void shouldWriteEachSlotToOneLocation() {
    long movedMs = NOW_MS - 60 * MINUTE_MS; // in the middle of a slot
    Location earlier = location(0, movedMs);
    Location later = location(movedMs, Long.MAX_VALUE);
    List<Slots> before = slots(Long.MAX_VALUE, 1000, earlier, List.of());
    List<Slots> after = slots(Long.MAX_VALUE, 1000, later, List.of(earlier));

    assertThat(before.size() + after.size()).isEqualTo(119 + 287);
    assertThat(before).allMatch(each -> each.endMs() - each.archive().shape().stepMs() < movedMs);
    assertThat(after).allMatch(each -> each.endMs() - each.archive().shape().stepMs() >= movedMs);
    assertThat(after.get(0).values()).containsExactly(Double.NaN, Double.NaN, 1);
  }

  private static List<Slots> slots(
      long untilMs, int maxSlots, Location location, List<Location> earlier) {
    double[] ones = new double[2000];
    Arrays.fill(ones, 1);
    long newestS = Math.floorDiv(NOW_MS, MINUTE_MS) * 60 - 60;
    var file =
        new WhisperFile(
            AggregationMethod.AVERAGE, List.of(new WhisperArchive(60, newestS - 1999 * 60, ones)));
    var member = new Member("f.wsp", location, earlier, 0);
    return Window.groups(POLICY, NOW_MS, Math.min(NOW_MS, untilMs), 3, maxSlots).stream()
        .peek(
            group -> {
              group.forEach(window -> window.add(file, member));
            })
        .flatMap(List::stream)
        .flatMap(window -> window.slots(7).stream())
        .toList();
  }

  private static Location location(long sinceMs, long untilMs) {
    return new Location("p", 7, 3, sinceMs, untilMs, Long.MAX_VALUE);
  }
}
