package dev.rondo.topology.decode;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Token bucket for the bytes of dead letters, shared by all tasks of an instance: a burst, then a
 * rate per second. It prevents copying a misconfigured source as a whole; pieces beyond the limit
 * are only counted. A source may take at most twice what remains, so one source alone gets a burst
 * of one minute's worth and always leaves bytes for the others. Safe to share between threads.
 */
public final class DeadLetterRateLimit {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRateLimit.class);
  private static final double TIMES_LEFT = 2;
  private static final long BURST_SECONDS = 90;
  private static final long WARN_INTERVAL_MS = 60_000;

  private final long bytesPerSecond;
  private final Map<DropReason, Counter> notKept = new EnumMap<>(DropReason.class);
  private final Map<String, Double> takenBytes = new HashMap<>();
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
   * Returns whether a dead letter may be written; counts its pieces if not.
   *
   * @param source topic of the record
   * @param pieces number of rejected pieces in the dead letter
   * @param bytes size of the dead letter
   * @param nowMs wall clock, epoch ms
   */
  synchronized boolean take(String source, DropReason reason, long pieces, long bytes, long nowMs) {
    if (refilledMs != Long.MIN_VALUE) {
      refill(Math.max(0, nowMs - refilledMs) / 1_000.0 * (double) bytesPerSecond);
    }
    refilledMs = nowMs;
    double taken = takenBytes.getOrDefault(source, 0.0) + bytes;
    double left = availableBytes - bytes;
    if (taken <= TIMES_LEFT * left) {
      availableBytes = left;
      takenBytes.put(source, taken);
      return true;
    }
    notKept.get(reason).increment((double) pieces);
    warn(source, reason, pieces, nowMs);
    return false;
  }

  /** Refills each source in proportion to what it has taken. */
  private void refill(double moreBytes) {
    double all = (double) bytesPerSecond * BURST_SECONDS;
    double taken = all - availableBytes;
    if (moreBytes >= taken) {
      availableBytes = all;
      takenBytes.clear();
    } else {
      availableBytes += moreBytes;
      takenBytes.replaceAll((source, bytes) -> bytes * (1 - moreBytes / taken));
    }
  }

  private void warn(String source, DropReason reason, long pieces, long nowMs) {
    unreported += pieces;
    if (warnedMs == Long.MIN_VALUE || Math.abs(nowMs - warnedMs) >= WARN_INTERVAL_MS) {
      LOG.warn(
          "Wrote no dead letters for {} rejected pieces, the last of {} for reason {}: the limit is {}"
              + " bytes per second (dead.letters.max.bytes.per.second). All pieces are counted.",
          unreported,
          source,
          reason.key(),
          bytesPerSecond);
      warnedMs = nowMs;
      unreported = 0;
    }
  }
}
