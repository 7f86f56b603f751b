package dev.rondo.history.whisper;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ClosedSlots;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Slots of one archive of a policy, from those of a Whisper file. A slot is made of the parts of
 * Whisper's slots that lie in it:
 *
 * <pre>
 *   same step         | 3 |  copied
 *   finer, 3 of 1     | 1 | ? | 6 |   consolidated: wmean 3.5, known 2/3
 *   coarser, 1 of 3   |     9     |   each of the three is 9; by the method sum each is 3
 * </pre>
 *
 * <p>An archive of the same step is read first, then the finest one that has the whole slot. A
 * coarser archive has values of the file's method: other functions are not made of it, except the
 * one by which the policy is shown, as Graphite shows what the file has.
 *
 * <p>A slot has the name that it has in Graphite, its start T. In Whisper mode it is stored with
 * the end T + step, otherwise with the end T: the query API answers T for both.
 */
final class SlotConversion {
  private final Archive target;
  private final Policy policy;

  SlotConversion(Policy policy, Archive target) {
    this.policy = policy;
    this.target = target;
  }

  /**
   * Values of slots that follow each other, NaN where unknown.
   *
   * @param firstEndMs end of the first slot
   */
  double[] values(WhisperFile file, long firstEndMs, int slots) {
    long stepMs = target.shape().stepMs();
    List<Ring> rings = rings(file);
    var slot = new ClosedSlots(target, 1, 1);
    double[] values = new double[slots];
    for (int n = 0; n < slots; n++) {
      long fromMs = firstEndMs + (n - 1) * stepMs;
      for (Ring ring : rings) {
        if (ring.beginMs() <= fromMs) {
          ring.addTo(slot, fromMs, fromMs + stepMs);
          break;
        }
      }
      values[n] = slot.close()[0];
    }
    return values;
  }

  /** Archives that the target may be made of, the best first. */
  private List<Ring> rings(WhisperFile file) {
    return IntStream.range(0, file.archives().size())
        .filter(n -> n == 0 || isMadeOf(file.method().function()))
        .mapToObj(n -> file.archives().get(n))
        .map(archive -> ring(archive, file))
        .sorted(
            Comparator.comparing((Ring ring) -> ring.stepMs() != target.shape().stepMs())
                .thenComparing(Ring::stepMs))
        .toList();
  }

  private Ring ring(WhisperArchive archive, WhisperFile file) {
    long stepS = archive.stepS();
    long shiftS = policy.isWhisper() ? stepS : 0;
    long lastS = Math.floorDiv(file.newestS(), stepS) * stepS;
    long beginS = lastS - archive.values().length * stepS + shiftS;
    return new Ring(archive, beginS * 1000, shiftS, file.method() == AggregationMethod.SUM);
  }

  /** In the policy's step all functions have the same values. */
  private boolean isMadeOf(ConsolidationFunction method) {
    return target.function() == method
        || target.function() == policy.aggregate()
        || target.shape().stepMs() == policy.stepMs();
  }

  /**
   * One of the file's archives, by the ends of slots as Rondo stores them.
   *
   * @param beginMs start of the oldest slot that it can have beside the newest of the file
   * @param shiftS from the name of a slot to its end
   * @param isSum whether a slot has the sum of its parts
   */
  private record Ring(WhisperArchive archive, long beginMs, long shiftS, boolean isSum) {
    long stepMs() {
      return archive.stepS() * 1000;
    }

    void addTo(ClosedSlots slot, long fromMs, long toMs) {
      long stepMs = stepMs();
      long startMs = Math.floorDiv(fromMs, stepMs) * stepMs;
      for (; startMs < toMs; startMs += stepMs) {
        double value = archive.at((startMs + stepMs) / 1000 - shiftS);
        long partMs = Math.min(startMs + stepMs, toMs) - Math.max(startMs, fromMs);
        slot.take(0, isSum && partMs < stepMs ? value * partMs / stepMs : value, partMs);
      }
    }
  }
}
