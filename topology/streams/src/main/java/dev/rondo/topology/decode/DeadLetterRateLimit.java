package dev.rondo.topology.decode;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many bytes of dead letters an instance writes: a minute's worth at once, then so many a
 * second, so that a source that is configured wrongly is not copied as a whole. What goes beyond is
 * counted. One for all tasks of an instance; safe to share between threads.
 */
public final class DeadLetterRateLimit {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRateLimit.class);
  private static final long BURST_SECONDS = 60;
  private static final long QUIET_MS = 60_000;

  private final long bytesPerSecond;
  private final Map<DropReason, Counter> notKept = new EnumMap<>(DropReason.class);
  private double left;
  private long seenMs = Long.MIN_VALUE;
  private long toldMs = Long.MIN_VALUE;
  private long untold;

  /** With a minute's worth left; counts in {@code registry}. */
  public DeadLetterRateLimit(long bytesPerSecond, MeterRegistry registry) {
    this.bytesPerSecond = bytesPerSecond;
    this.left = (double) bytesPerSecond * BURST_SECONDS;
    for (DropReason reason : DropReason.values()) {
      if (reason.isDeadLetter()) {
        notKept.put(
            reason,
            Counter.builder("rondo.dead.letters.not.kept")
                .description("Pieces without a dead letter, as there were too many bytes of them")
                .tag("reason", reason.key())
                .register(registry));
      }
    }
  }

  /**
   * Whether a letter may be written.
   *
   * @param pieces of its record that it tells of
   * @param nowMs the clock, epoch ms
   */
  synchronized boolean take(DropReason reason, long pieces, long bytes, long nowMs) {
    if (seenMs != Long.MIN_VALUE) {
      double more = Math.max(0, nowMs - seenMs) / 1_000.0 * (double) bytesPerSecond;
      left = Math.min((double) bytesPerSecond * BURST_SECONDS, left + more);
    }
    seenMs = nowMs;
    if (left >= bytes) {
      left -= bytes;
      return true;
    }
    notKept.get(reason).increment((double) pieces);
    warn(reason, pieces, nowMs);
    return false;
  }

  private void warn(DropReason reason, long pieces, long nowMs) {
    untold += pieces;
    if (toldMs == Long.MIN_VALUE || Math.abs(nowMs - toldMs) >= QUIET_MS) {
      LOG.warn(
          "dead letters not kept: {} pieces, the last {}: there are more than {} bytes a second"
              + " (dead.letters.max.bytes.per.second); all are counted",
          untold,
          reason.key(),
          bytesPerSecond);
      toldMs = nowMs;
      untold = 0;
    }
  }
}
