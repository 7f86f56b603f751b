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

/**
 * Separates the points and events of source records that can be stored from the others. Not
 * thread-safe.
 */
public final class PointValidator {
  private final TimeLimits limits;
  private final RecordPieces pieces = new RecordPieces();
  private Policies policies;

  /** No policy refuses a point of this age, ms. */
  private long youngMs;

  public PointValidator(TimeLimits limits) {
    this.limits = limits;
  }

  /** Receives the content of a record; {@code from..to} are the bytes of each piece. */
  public interface Outcome {
    /** Receives a point that can be stored. */
    void point(String ident, long tMs, double value);

    /** Receives an event that can be stored. */
    void event(long tMs, String what, List<String> tags, String data);

    /** Receives a point that is rejected. {@code detail} says what is wrong. */
    void reject(DropReason reason, String ident, long tMs, String detail, int from, int to);

    /** Receives bytes that hold nothing to store. {@code detail} says what is wrong. */
    void drop(DropReason reason, String detail, int from, int to);
  }

  /** The pieces of the record that is validated, or was last. */
  RecordPieces pieces() {
    return pieces;
  }

  /**
   * Decodes and validates one record; ignores what is {@link Skipped} of it.
   *
   * @param policy that the source names for its series; empty = none
   * @param value of the record; null if it has none
   * @param headers of the record: one may name its schema, another one when it was first written
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
      // compared with the record time, so that a replay rejects the same points
      long timeMs = FirstWritten.of(headers, writtenMs);
      takePolicies();
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

  @SuppressWarnings("ReferenceEquality") // other policies are another object
  private void takePolicies() {
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

  /** Only numbers what a record holds. */
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
      return skipped.get(pieces.newest());
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

    /** A series that no policy stores is dropped for that later. */
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
      return "time %s is before %s: is it in another unit than the source is read with?"
          .formatted(Instant.ofEpochMilli(tMs), Instant.ofEpochMilli(TimeLimits.EARLIEST_MS));
    }

    /** Increments of one time all count, so a policy that adds them up hides none. */
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

    /** Whether the rest of the record is not read, which may be at another number each time. */
    private boolean endsRecord(DropReason reason) {
      return reason == DropReason.RECORD_OVER_LIMIT || reason == DropReason.DECODER_FAILED;
    }
  }
}
