package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The points of one source record that belong to this partition.
 *
 * @param sequence number of its first point; the points of a task are counted in the order of their
 *     arrival
 * @param source the partition of a source topic that it comes from
 * @param offset of the source record
 * @param streamTimeMs newest record time of the source partition up to this record, epoch ms
 * @param policy of its new series; empty = the first that matches
 * @param points at least one, in the record's order
 */
public record Batch(
    long sequence,
    ByteBuffer source,
    long offset,
    long streamTimeMs,
    String policy,
    List<Point> points) {}
