package dev.rondo.topology.drops;

/** Where a record is: the sender's topic, partition and offset. */
public record RecordId(String topic, int partition, long offset) {}
