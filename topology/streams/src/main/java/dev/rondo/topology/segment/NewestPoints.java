package dev.rondo.topology.segment;

import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.policy.Policies;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;

/** Times of the newest points of series, read from a segments changelog. */
public final class NewestPoints {
  private final SegmentCodec codec;
  private final Map<Integer, long[]> bySegment = new HashMap<>();

  /**
   * @param policies policies that the state was written under; segments of other policies are
   *     skipped
   */
  public NewestPoints(Policies policies) {
    codec =
        new SegmentCodec(
            policies,
            0, // rewinds no state
            SegmentContext.withoutArrivals(
                0, new TaskClock(0, 0), TaskMemory.unbounded(), new IgnoringSink()),
            FormatVersion.NEWEST);
  }

  /** Adds an entry of the changelog; a null {@code state} deletes it. */
  public void add(byte[] key, byte[] state) {
    int number = ByteBuffer.wrap(key).getInt();
    if (Bytes.wrap(key).equals(SegmentStore.VERSION) || state == null) {
      bySegment.remove(number);
      return;
    }
    codec
        .read(number, state)
        .ifPresent(
            segment -> {
              long[] newestMs = new long[segment.width()];
              for (int series = 0; series < newestMs.length; series++) {
                newestMs[series] = segment.newestMs(series);
              }
              bySegment.put(number, newestMs);
            });
  }

  /**
   * Returns the time of the newest point of a series, epoch ms; {@link Long#MIN_VALUE} if unknown.
   *
   * @param position position in the segment, from 1
   */
  public long ms(int segment, int position) {
    long[] newestMs = bySegment.get(segment);
    return newestMs == null || position > newestMs.length ? Long.MIN_VALUE : newestMs[position - 1];
  }
}
