package dev.rondo.topology.rows;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.RowArrival;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.policy.Policy;
import java.nio.charset.StandardCharsets;
import org.apache.avro.generic.PrimitivesArrays.DoubleArray;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/** Converts a row to its message in {@code rondo.bundle-rows}. */
public final class RowMessages {
  private RowMessages() {}

  /**
   * Returns the message of a row.
   *
   * @param archive index of the archive in its policy
   * @param segment number of the segment
   * @param width number of positions in the segment
   * @param endMs end of the slot, epoch ms
   * @param values values by position, from position 1; NaN = no new value
   * @param arrival arrival of the point that set the first value; null if unknown
   * @param timestampMs timestamp of the Kafka record, epoch ms
   */
  public static Record<Object, Object> of(
      Policy policy,
      int archive,
      int segment,
      int width,
      long endMs,
      double[] values,
      Arrival arrival,
      long timestampMs) {
    Archive kept = policy.archives().get(archive);
    String function = kept.function().key();
    long stepMs = kept.shape().stepMs();
    int size = kept.shape().size();
    int index = kept.shape().index(endMs);
    BundleRowKey key = new BundleRowKey(policy.name(), function, stepMs, size, segment, index);
    BundleRow row =
        new BundleRow(
            policy.name(),
            function,
            stepMs,
            size,
            width,
            kept.xff(),
            policy.isWhisper(),
            policy.aggregate().key(),
            segment,
            index,
            endMs,
            unboxed(values));
    Headers headers = new RecordHeaders();
    if (arrival != null) {
      var sent = new RowArrival(arrival.atMs(), arrival.partition().topic());
      headers.add(RowArrival.HEADER, sent.toText().getBytes(StandardCharsets.UTF_8));
    }
    return new Record<>(key, row, timestampMs, headers);
  }

  private static DoubleArray unboxed(double[] values) {
    DoubleArray array = new DoubleArray(values.length, BundleRow.SCHEMA$.getField("dp").schema());
    for (int n = 0; n < values.length; n++) {
      array.add(n, values[n]);
    }
    return array;
  }
}
