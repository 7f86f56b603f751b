package dev.rondo.topology.order;

/**
 * How far a source partition has been decoded. It involves no clock, so it stays true however late
 * it arrives.
 *
 * @param position all records before this offset are decoded; -1 = unknown
 * @param streamTimeMs newest record time before that offset, epoch ms; {@link Long#MIN_VALUE} =
 *     unknown
 * @param disorderMs by how much record times are out of order ({@link SourceStreamTime})
 */
public record Progress(long position, long streamTimeMs, long disorderMs) {
  public static final Progress NONE = new Progress(-1, Long.MIN_VALUE, 0);

  /** This progress, updated by a later report. */
  Progress updatedBy(Progress now) {
    return new Progress(now.position, Math.max(streamTimeMs, now.streamTimeMs), now.disorderMs);
  }
}
