package dev.rondo.formats.catalog;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.RecordLimits;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Bounds a decoder: a record that exceeds its {@link RecordLimits} or makes the decoder fail
 * becomes a drop, and a new decoder reads the next record. Exceptions of the sink and of the
 * definitions propagate.
 *
 * <p>CPU time is checked every {@link #POINTS_PER_CHECK} points; between two checks, the length of
 * the record bounds the work.
 */
final class BoundedDecoder implements Decoder {
  private static final int POINTS_PER_CHECK = 1024;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String OWN_CODE = "dev.rondo.";

  private final Function<Definitions, Decoder> create;
  private final RecordLimits limits;
  private final boolean readsEmpty;
  private final Definitions definitions;
  private Decoder decoder;

  /** Whether the sink or the definitions are running, not the decoder. */
  private boolean isOutside;

  /**
   * @param readsEmpty whether a record without bytes can hold points: a message of defaults
   */
  BoundedDecoder(
      Function<Definitions, Decoder> create,
      RecordLimits limits,
      boolean readsEmpty,
      Definitions definitions) {
    this.create = create;
    this.limits = limits;
    this.readsEmpty = readsEmpty;
    this.definitions = definitions == Definitions.NONE ? definitions : new Outside(definitions);
    this.decoder = create.apply(this.definitions);
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    decode(value, null, nowMs, sink);
  }

  @Override
  public void decode(byte[] value, byte[] schemaId, long nowMs, PointSink sink) {
    if (value.length == 0 && !readsEmpty) {
      sink.drop(DropReason.EMPTY, "the record has no bytes", 0, 0);
      return;
    }
    isOutside = false;
    try {
      limits.checkBytes("record", value.length);
      decoder.decode(value, schemaId, nowMs, new Counted(sink));
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), 0, value.length);
    } catch (OverLimitException e) {
      sink.drop(DropReason.RECORD_OVER_LIMIT, e.getMessage(), 0, value.length);
      decoder = create.apply(definitions);
    } catch (RuntimeException | StackOverflowError e) {
      if (isOutside) {
        throw e;
      }
      sink.drop(DropReason.DECODER_FAILED, detail(e), 0, value.length);
      decoder = create.apply(definitions);
    }
  }

  /** Returns the class, the message and the topmost frame of Rondo's code. */
  private static String detail(Throwable failure) {
    StringBuilder detail = new StringBuilder(failure.getClass().getName());
    if (failure.getMessage() != null) {
      detail.append(": ").append(Excerpt.of(failure.getMessage()));
    }
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (frame.getClassName().startsWith(OWN_CODE)) {
        return detail.append(" at ").append(frame).toString();
      }
    }
    return detail.toString();
  }

  /** Counts points and drops, and aborts the record at a limit. */
  private final class Counted implements PointSink {
    private final PointSink sink;
    private int found;
    private long startNs;

    Counted(PointSink sink) {
      this.sink = sink;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      count();
      isOutside = true;
      sink.point(ident, tMs, value, from, to);
      isOutside = false;
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
      count();
      isOutside = true;
      sink.event(tMs, what, tags, data, from, to);
      isOutside = false;
    }

    @Override
    public void collision(String ident, long tMs, double value, String detail, int from, int to) {
      count();
      isOutside = true;
      sink.collision(ident, tMs, value, detail, from, to);
      isOutside = false;
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      count();
      isOutside = true;
      sink.drop(reason, detail, from, to);
      isOutside = false;
    }

    private void count() {
      if (++found > limits.maxPoints()) {
        throw new OverLimitException(limits.pointsExceeded());
      }
      if (found % POINTS_PER_CHECK == 0) {
        checkTime();
      }
    }

    private void checkTime() {
      long nowNs = THREADS.getCurrentThreadCpuTime();
      if (found == POINTS_PER_CHECK) {
        startNs = nowNs;
      } else if (nowNs - startNs > TimeUnit.MILLISECONDS.toNanos(limits.maxCpuMs())) {
        throw new OverLimitException(
            "more than %d ms of CPU (record.max.cpu.ms) after %d points and drops: the rest of the record is not read"
                .formatted(limits.maxCpuMs(), found));
      }
    }
  }

  /** Definitions whose failures are not the decoder's. */
  private final class Outside implements Definitions {
    private final Definitions kept;

    Outside(Definitions kept) {
      this.kept = kept;
    }

    @Override
    public String get(byte[] id) {
      isOutside = true;
      String definition = kept.get(id);
      isOutside = false;
      return definition;
    }

    @Override
    public void put(byte[] id, String definition) {
      isOutside = true;
      kept.put(id, definition);
      isOutside = false;
    }

    @Override
    public boolean areKept() {
      return kept.areKept();
    }
  }

  private static final class OverLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OverLimitException(String message) {
      super(message, null, false, false);
    }
  }
}
