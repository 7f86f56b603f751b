package dev.rondo.topology.decode;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Token bucket for the bytes of dead letters that an instance writes: a burst of one minute's
 * worth, then a rate per second. It keeps a misconfigured source from being copied as a whole;
 * pieces beyond the limit are only counted. All tasks of an instance share one. Safe to share
 * between threads.
 */
public final class DeadLetterRateLimit {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRateLimit.class);
  private static final long BURST_SECONDS = 60;
  private static final long WARN_INTERVAL_MS = 60_000;

  private final long bytesPerSecond;
  private final Map<DropReason, Counter> notKept = new EnumMap<>(DropReason.class);
  private double availableBytes;
  private long refilledMs = Long.MIN_VALUE;
  private long warnedMs = Long.MIN_VALUE;
  private long unreported;

  /** Starts with a full burst. */
  public DeadLetterRateLimit(long bytesPerSecond, MeterRegistry registry) {
    this.bytesPerSecond = bytesPerSecond;
    this.availableBytes = (double) bytesPerSecond * BURST_SECONDS;
    for (DropReason reason : DropReason.values()) {
      if (reason.isDeadLetter()) {
        notKept.put(
            reason,
            Counter.builder("rondo.dead.letters.not.kept")
                .description(
                    "Rejected points without a dead letter, as the rate limit was exceeded")
                .tag("reason", reason.key())
                .register(registry));
      }
    }
  }

  /**
   * Whether a dead letter may be written.
   *
   * @param pieces number of rejected pieces in the dead letter
   * @param nowMs wall clock, epoch ms
   */
  synchronized boolean take(DropReason reason, long pieces, long bytes, long nowMs) {
    if (refilledMs != Long.MIN_VALUE) {
      double more = Math.max(0, nowMs - refilledMs) / 1_000.0 * (double) bytesPerSecond;
      availableBytes = Math.min((double) bytesPerSecond * BURST_SECONDS, availableBytes + more);
    }
    refilledMs = nowMs;
    if (availableBytes >= bytes) {
      availableBytes -= bytes;
      return true;
    }
    notKept.get(reason).increment((double) pieces);
    warn(reason, pieces, nowMs);
    return false;
  }

  private void warn(DropReason reason, long pieces, long nowMs) {
    unreported += pieces;
    if (warnedMs == Long.MIN_VALUE || Math.abs(nowMs - warnedMs) >= WARN_INTERVAL_MS) {
      LOG.warn(
          "Wrote no dead letters for {} rejected pieces, the last for reason {}: the limit is {}"
              + " bytes per second (dead.letters.max.bytes.per.second). All pieces are counted.",
          unreported,
          reason.key(),
          bytesPerSecond);
      warnedMs = nowMs;
      unreported = 0;
    }
  }
}
