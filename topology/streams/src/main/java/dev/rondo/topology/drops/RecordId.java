package dev.rondo.topology.drops;

/** Identifies a source record by topic, partition and offset. */
public record RecordId(String topic, int partition, long offset) {
  /** Formats the id as in all logs: {@code points-3@4711}. */
  @Override
  public String toString() {
    return topic + "-" + partition + "@" + offset;
  }
}
