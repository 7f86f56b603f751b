package dev.rondo.topology.drops;

/** Identifies a source record by topic, partition and offset. */
public record RecordId(String topic, int partition, long offset) {}
