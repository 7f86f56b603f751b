package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The points of one source record that belong to this partition.
 *
 * @param sequence number of its first point; a task numbers its points in arrival order
 * @param source id of the source partition ({@link SourceHeaders#id})
 * @param offset of the source record
 * @param streamTimeMs newest record time of the source partition up to this record, epoch ms
 * @param policy policy of new series; empty = the first that matches
 * @param points at least one, in the record's order
 */
public record Batch(
    long sequence,
    ByteBuffer source,
    long offset,
    long streamTimeMs,
    String policy,
    List<Point> points) {}
