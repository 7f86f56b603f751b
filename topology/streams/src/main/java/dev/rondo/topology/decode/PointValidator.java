package dev.rondo.topology.decode;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.schemaregistry.Framing;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Separates the points and events of source records that can be stored from the others. */
public final class PointValidator {
  private final long maxFutureMs;

  /**
   * @param maxFutureMs how far a point may be ahead of its record's time
   */
  public PointValidator(long maxFutureMs) {
    this.maxFutureMs = maxFutureMs;
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

  /**
   * Decodes and validates one record.
   *
   * @param value of the record; null if it has none
   * @param headers of the record: one may name its schema, another one when it was first written
   * @param writtenMs record time, epoch ms
   */
  public void validate(
      Decoder decoder, byte[] value, Headers headers, long writtenMs, Outcome outcome) {
    if (value == null) {
      outcome.drop(DropReason.EMPTY, "the record has no value", 0, 0);
    } else {
      // compared with the record time, so that a replay rejects the same points
      long timeMs = FirstWritten.of(headers, writtenMs);
      decoder.decode(value, schemaId(headers), timeMs, new Gate(writtenMs + maxFutureMs, outcome));
    }
  }

  private static byte[] schemaId(Headers headers) {
    Header header = headers.lastHeader(Framing.HEADER);
    return header == null ? null : header.value();
  }

  private final class Gate implements PointSink {
    private final long furthestMs;
    private final Outcome outcome;

    Gate(long furthestMs, Outcome outcome) {
      this.furthestMs = furthestMs;
      this.outcome = outcome;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      if (!Double.isFinite(value)) {
        outcome.reject(DropReason.NOT_A_NUMBER, ident, tMs, "value " + value, from, to);
      } else if (tMs <= 0) {
        String detail = "time " + tMs + " ms is not after 1970";
        outcome.reject(DropReason.UNREADABLE, ident, tMs, detail, from, to);
      } else if (tMs > furthestMs) {
        outcome.reject(DropReason.TOO_FAR_IN_THE_FUTURE, ident, tMs, tooFar(tMs), from, to);
      } else {
        outcome.point(ident, tMs, value);
      }
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
      if (tMs > furthestMs) {
        outcome.drop(DropReason.TOO_FAR_IN_THE_FUTURE, tooFar(tMs), from, to);
      } else {
        outcome.event(tMs, what, tags, data);
      }
    }

    private String tooFar(long tMs) {
      return "time %s is after %s (max.future.ms = %d)"
          .formatted(Instant.ofEpochMilli(tMs), Instant.ofEpochMilli(furthestMs), maxFutureMs);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      outcome.drop(reason, detail, from, to);
    }
  }
}
