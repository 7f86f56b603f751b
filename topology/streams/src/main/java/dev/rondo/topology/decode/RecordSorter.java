package dev.rondo.topology.decode;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import java.time.Instant;

/** Parts the points of source records that can be stored from those that cannot. */
public final class RecordSorter {
  private final long maxFutureMs;

  /**
   * @param maxFutureMs how far ahead of the writing of its record a point may be
   */
  public RecordSorter(long maxFutureMs) {
    this.maxFutureMs = maxFutureMs;
  }

  /** Takes what a record holds; {@code from..to} are the bytes of each find, as in a sink. */
  public interface Outcome {
    /** A point to be stored. */
    void point(String ident, long tMs, double value);

    /** A point that is refused. {@code detail}: what is wrong. */
    void refuse(DropReason reason, String ident, long tMs, String detail, int from, int to);

    /** Bytes that hold no point. {@code detail}: what is wrong. */
    void drop(DropReason reason, String detail, int from, int to);
  }

  /**
   * Sorts one record.
   *
   * @param value of the record; null where it has none
   * @param writtenMs when the record was written, epoch ms
   */
  public void sort(Decoder decoder, byte[] value, long writtenMs, Outcome outcome) {
    if (value == null) {
      outcome.drop(DropReason.UNREADABLE, "the record has no value", 0, 0);
    } else {
      // by the clock of its writing: what was too far in the future then is so in a replay, too
      decoder.decode(value, writtenMs, new Gate(writtenMs + maxFutureMs, outcome));
    }
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
        outcome.refuse(DropReason.NOT_A_NUMBER, ident, tMs, "value " + value, from, to);
      } else if (tMs <= 0) {
        String detail = "time " + tMs + " ms is not after 1970";
        outcome.refuse(DropReason.UNREADABLE, ident, tMs, detail, from, to);
      } else if (tMs > furthestMs) {
        outcome.refuse(DropReason.TOO_FAR_IN_THE_FUTURE, ident, tMs, tooFar(tMs), from, to);
      } else {
        outcome.point(ident, tMs, value);
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
