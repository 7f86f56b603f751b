package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.archive.ArchiveShape;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** A bad point never affects the other series of its segment. */
class SkewPropertyTest {
  private static final long START_S = 1_000_000_000;

  /**
   * One sender's clock is ahead of, or behind, the others by any share of the span.
   *
   * @param skew of the sender, in spans
   * @param olderS how far points of a backlog are behind the clock when they are read
   */
  @Property(tries = 60)
  void shouldKeepWhatNeighboursNeed(
      @ForAll @LongRange(min = 1, max = 5) long stepS,
      @ForAll @IntRange(min = 4, max = 24) int size,
      @ForAll @DoubleRange(min = -1.5, max = 20) double skew,
      @ForAll @LongRange(min = 1, max = 1_000) long olderS,
      @ForAll boolean isLive,
      @ForAll boolean isWhisper) {
    ArchiveShape shape = new ArchiveShape(stepS * 1000, size);
    long spanS = shape.spanMs() / 1000;
    long backlogS = isLive ? 0 : olderS;
    long skewS = Math.round(skew * spanS);
    String policy =
        "{name: p, match: '.*', step: %ds, heartbeat: %s, archives: ['%1$ds:%ds', '%ds:%ds']}"
            .formatted(stepS, isWhisper ? "0" : 3 * stepS + "s", spanS, 2 * stepS, 40 * spanS);
    Run with = new Run(policy, START_S + backlogS);
    Run without = new Run(policy, START_S + backlogS);
    for (int n = 0; n < 2 * size; n++) {
      long tS = START_S + n * stepS;
      with.pass(stepS);
      without.pass(stepS);
      if (isLive) {
        assertKept(with, without, shape);
      }
      with.task.send("good", tS, n);
      without.task.send("good", tS, n);
      with.task.send("ahead", tS + skewS, n);
    }
    with.pass(stepS);
    without.pass(stepS);
    assertKept(with, without, shape);
    long aheadMs = (skewS - backlogS) * 1000; // of the clock
    if (Math.abs(aheadMs - shape.aheadMs()) > 3 * shape.stepMs()) {
      assertThat(with.task.dropped(DropReason.SLOT_TOO_FAR_AHEAD) > 0)
          .as("counted where slots are missing")
          .isEqualTo(aheadMs > shape.aheadMs());
    }
  }

  /** Slots may be shown earlier, as the one sender moves the stream time. */
  private static void assertKept(Run with, Run without, ArchiveShape shape) {
    long sinceMs = with.nowS * 1000 - shape.spanMs() + shape.aheadMs();
    assertThat(with.shown("good", sinceMs))
        .as("at %d s", with.nowS - START_S)
        .containsAllEntriesOf(without.shown("good", sinceMs));
  }

  private static final class Run {
    final OneTask task;
    long nowS;

    Run(String policy, long nowS) {
      this.nowS = nowS;
      task = new OneTask(nowS, policy);
    }

    void pass(long seconds) {
      task.pass(seconds);
      nowS += seconds;
    }

    /** Values of a series in slots that end after a time, epoch ms. */
    Map<String, Double> shown(String ident, long sinceMs) {
      Map<String, Double> shown = new TreeMap<>();
      task.table
          .shown(ident)
          .forEach(
              (slot, value) -> {
                long endMs = Long.parseLong(slot.substring(slot.indexOf('@') + 1));
                if (endMs > sinceMs) {
                  shown.put(slot, value);
                }
              });
      return shown;
    }
  }
}
