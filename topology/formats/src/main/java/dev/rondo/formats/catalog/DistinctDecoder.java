package dev.rondo.formats.catalog;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects points of a record with the same ident and time, but different values. Their series
 * differ only in something that the name omits, such as a unit or a dropped label, so one would
 * hide the other.
 */
final class DistinctDecoder implements Decoder {
  /** Bounds memory; further series of a record are not compared. */
  private static final int MAX_SERIES = 65_536;

  /** A larger map costs more to clear than to replace. */
  private static final int LARGE = 1024;

  private final Decoder decoder;
  private Map<String, Point> newest = new HashMap<>();

  private record Point(long tMs, double value) {}

  DistinctDecoder(Decoder decoder) {
    this.decoder = decoder;
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    decode(value, null, nowMs, sink);
  }

  @Override
  public void decode(byte[] value, byte[] schemaId, long nowMs, PointSink sink) {
    if (newest.size() > LARGE) {
      newest = new HashMap<>();
    } else {
      newest.clear();
    }
    decoder.decode(value, schemaId, nowMs, new Distinct(sink));
  }

  private final class Distinct implements PointSink {
    private final PointSink sink;

    Distinct(PointSink sink) {
      this.sink = sink;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      Point previous = newest.get(ident);
      if (previous != null && previous.tMs == tMs && Double.compare(previous.value, value) != 0) {
        String detail =
            "value %s, after %s with the same name and time: the series differ in something that the name omits, such as a unit or a dropped label"
                .formatted(value, previous.value);
        sink.collision(ident, tMs, value, detail, from, to);
        return;
      }
      if (previous != null || newest.size() < MAX_SERIES) {
        newest.put(ident, new Point(tMs, value));
      }
      sink.point(ident, tMs, value, from, to);
    }

    @Override
    public void event(long tMs, String what, List<String> tags, String data, int from, int to) {
      sink.event(tMs, what, tags, data, from, to);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      sink.drop(reason, detail, from, to);
    }
  }
}
