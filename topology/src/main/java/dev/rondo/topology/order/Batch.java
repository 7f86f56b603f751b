package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The points of one source record that belong to this partition.
 *
 * @param sequence counts the batches of a task, in the order of arrival
 * @param source the partition of a source topic that it comes from
 * @param writtenMs when the source record was written, epoch ms
 * @param policy of its series that are met for the first time; empty = the first that matches
 * @param points at least one, in the record's order
 */
public record Batch(
    long sequence, ByteBuffer source, long writtenMs, String policy, List<Point> points) {
  /** Time of the first point, epoch ms: among batches that may leave, the earlier goes first. */
  long firstMs() {
    return points.get(0).getT();
  }
}
