package dev.rondo.loadgen.plan;

/**
 * Progress of a run.
 *
 * @param turns turns whose records were all sent to the producer
 * @param acked points acknowledged by the brokers
 * @param failed points that finally failed
 * @param garbage unreadable records sent
 * @param isFinished whether all turns are sent, and every point is acknowledged or failed
 */
public record Progress(long turns, long acked, long failed, long garbage, boolean isFinished) {
  public static final Progress NONE = new Progress(0, 0, 0, 0, false);
}
