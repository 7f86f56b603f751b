package dev.rondo.topology.order;

/**
 * How far a source partition has been decoded. No clock is involved: it stays true however late it
 * is read.
 *
 * @param position all records before this offset are decoded; -1 = not known
 * @param streamTimeMs newest record time up to there, epoch ms; {@link Long#MIN_VALUE} = not known
 * @param disorderMs by how much record times are out of order there ({@link SourceStreamTime})
 */
public record Progress(long position, long streamTimeMs, long disorderMs) {
  /** Nothing is known. */
  public static final Progress NONE = new Progress(-1, Long.MIN_VALUE, 0);

  /** What is known once that has come, too. */
  Progress then(Progress now) {
    return new Progress(now.position, Math.max(streamTimeMs, now.streamTimeMs), now.disorderMs);
  }
}
