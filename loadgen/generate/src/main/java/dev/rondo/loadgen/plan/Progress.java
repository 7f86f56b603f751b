package dev.rondo.loadgen.plan;

/**
 * How far a run has come.
 *
 * @param turns of so many all that leaves has been handed to Kafka's producer
 * @param acked points that the brokers have acknowledged
 * @param failed points that they have not, for good
 * @param garbage unreadable records handed over
 * @param isFinished whether all turns have been taken, and each point acked or failed
 */
public record Progress(long turns, long acked, long failed, long garbage, boolean isFinished) {
  public static final Progress NONE = new Progress(0, 0, 0, 0, false);
}
