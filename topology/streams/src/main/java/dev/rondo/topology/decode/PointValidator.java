package dev.rondo.topology.decode;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.schemaregistry.Framing;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Separates valid points and events from rejected ones. Not thread-safe. */
public final class PointValidator {
  private final TimeLimits limits;
  private final RecordPieces pieces = new RecordPieces();
  private Policies policies;

  /** No policy rejects points up to this age, ms. */
  private long youngMs;

  public PointValidator(TimeLimits limits) {
    this.limits = limits;
  }

  /**
   * Receives the content of a record. {@code from..to} are the bytes of a piece; {@code detail}
   * says what is wrong with it.
   */
  public interface Outcome {
    /** Receives a valid point. */
    void point(String ident, long tMs, double value);

    /** Receives a valid event. */
    void event(long tMs, String what, List<String> tags, String data);

    /** Receives a rejected point. */
    void reject(DropReason reason, String ident, long tMs, String detail, int from, int to);

    /** Receives bytes that hold nothing to store. */
    void drop(DropReason reason, String detail, int from, int to);
  }

  /** Pieces of the current or last record. */
  RecordPieces pieces() {
    return pieces;
  }

  /**
   * Decodes and validates one record, without its {@link Skipped} pieces.
   *
   * @param policy policy of new series; empty = the first that matches
   * @param value of the record; null if it has none
   * @param headers of the record; they may hold a schema id and the time of the first write
   * @param writtenMs record time, epoch ms
   */
  public void validate(
      Decoder decoder,
      String policy,
      byte[] value,
      Headers headers,
      long writtenMs,
      Outcome outcome) {
    pieces.clear();
    if (value == null) {
      outcome.drop(DropReason.EMPTY, "the record has no value", 0, 0);
    } else {
      // the record time, not the clock: a replay rejects the same points
      long timeMs = FirstWritten.of(headers, writtenMs);
      updatePolicies();
      BitSet skipped = Skipped.NONE;
      if (Skipped.isIn(headers)) {
        decoder.decode(value, schemaId(headers), timeMs, new Count());
        skipped = Skipped.of(headers, pieces.size());
        pieces.clear();
      }
      decoder.decode(
          value, schemaId(headers), timeMs, new Gate(policy, writtenMs, timeMs, skipped, outcome));
    }
  }

  @SuppressWarnings("ReferenceEquality") // changed policies are a new object
  private void updatePolicies() {
    Policies latest = limits.policies().get();
    if (latest != policies) {
      policies = latest;
      youngMs =
          limits.maxAgeMs() > 0
              ? limits.maxAgeMs()
              : latest.inOrder().stream()
                  .filter(policy -> !policy.drops())
                  .mapToLong(Policy::longestSpanMs)
                  .min()
                  .orElse(Long.MAX_VALUE);
    }
  }

  private static byte[] schemaId(Headers headers) {
    Header header = headers.lastHeader(Framing.HEADER);
    return header == null ? null : header.value();
  }

  /** Numbers the pieces of a record. */
  private final class Count implements PointSink {
    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      pieces.add(from, to);
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
      pieces.add(from, to);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      pieces.add(from, to);
    }
  }

  private final class Gate implements PointSink {
    private final String policy;
    private final long firstWrittenMs;
    private final long furthestMs;
    private final long youngFromMs;
    private final BitSet skipped;
    private final Outcome outcome;

    Gate(String policy, long writtenMs, long firstWrittenMs, BitSet skipped, Outcome outcome) {
      this.policy = policy;
      this.firstWrittenMs = firstWrittenMs;
      this.furthestMs = writtenMs + limits.maxFutureMs();
      this.youngFromMs = Math.max(TimeLimits.EARLIEST_MS, firstWrittenMs - youngMs);
      this.skipped = skipped;
      this.outcome = outcome;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      if (!skips(from, to)) {
        check(ident, tMs, value, from, to);
      }
    }

    private boolean skips(int from, int to) {
      pieces.add(from, to);
      return skipped.get(pieces.last());
    }

    private void check(String ident, long tMs, double value, int from, int to) {
      if (!Double.isFinite(value)) {
        outcome.reject(DropReason.NOT_A_NUMBER, ident, tMs, "value " + value, from, to);
      } else if (tMs > furthestMs) {
        outcome.reject(DropReason.TOO_FAR_IN_THE_FUTURE, ident, tMs, tooFar(tMs), from, to);
      } else if (tMs < youngFromMs) {
        old(ident, tMs, value, from, to);
      } else {
        outcome.point(ident, tMs, value);
      }
    }

    private void old(String ident, long tMs, double value, int from, int to) {
      long oldestMs = firstWrittenMs - maxAgeMs(ident);
      if (tMs < TimeLimits.EARLIEST_MS) {
        outcome.reject(DropReason.TOO_OLD, ident, tMs, tooEarly(tMs), from, to);
      } else if (tMs < oldestMs) {
        outcome.reject(DropReason.TOO_OLD, ident, tMs, tooOld(tMs, oldestMs), from, to);
      } else {
        outcome.point(ident, tMs, value);
      }
    }

    /**
     * Returns the largest age of a series, ms; unlimited if no policy stores it, as it is dropped
     * later.
     */
    private long maxAgeMs(String ident) {
      return limits.maxAgeMs() > 0
          ? limits.maxAgeMs()
          : policies
              .of(ident, policy)
              .filter(one -> !one.drops())
              .map(Policy::longestSpanMs)
              .orElse(Long.MAX_VALUE);
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
      if (skips(from, to)) {
        return;
      }
      if (tMs > furthestMs) {
        outcome.drop(DropReason.TOO_FAR_IN_THE_FUTURE, tooFar(tMs), from, to);
      } else if (tMs < TimeLimits.EARLIEST_MS) {
        outcome.drop(DropReason.TOO_OLD, tooEarly(tMs), from, to);
      } else {
        outcome.event(tMs, what, tags, data);
      }
    }

    private String tooFar(long tMs) {
      return "time %s is after %s (max.future.ms = %d)"
          .formatted(
              Instant.ofEpochMilli(tMs), Instant.ofEpochMilli(furthestMs), limits.maxFutureMs());
    }

    private String tooOld(long tMs, long oldestMs) {
      return "time %s is before %s, %s (max.age.ms = %d)"
          .formatted(
              Instant.ofEpochMilli(tMs),
              Instant.ofEpochMilli(oldestMs),
              limits.maxAgeMs() > 0
                  ? "the bound"
                  : "where the longest archive of its policy begins",
              limits.maxAgeMs());
    }

    private static String tooEarly(long tMs) {
      return "time %s is before %s: check the time unit of the source"
          .formatted(Instant.ofEpochMilli(tMs), Instant.ofEpochMilli(TimeLimits.EARLIEST_MS));
    }

    /** A policy that adds up stores points that collide: increments at equal times all count. */
    @Override
    public void collision(String ident, long tMs, double value, String detail, int from, int to) {
      if (skips(from, to)) {
        return;
      }
      if (policies.of(ident, policy).filter(Policy::addsUp).isPresent()) {
        check(ident, tMs, value, from, to);
      } else {
        outcome.reject(DropReason.NAME_COLLISION, ident, tMs, detail, from, to);
      }
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      if (!skips(from, to) || endsRecord(reason)) {
        outcome.drop(reason, detail, from, to);
      }
    }

    /** Whether decoding stops here. Such a drop may get a different number each time. */
    private boolean endsRecord(DropReason reason) {
      return reason == DropReason.RECORD_OVER_LIMIT || reason == DropReason.DECODER_FAILED;
    }
  }
}
