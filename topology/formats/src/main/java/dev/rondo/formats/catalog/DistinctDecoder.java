package dev.rondo.formats.catalog;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds points of a record with one ident and time, and different values: their series differ only
 * in what the name leaves out, such as a unit or a dropped label, and one would hide the other.
 */
final class DistinctDecoder implements Decoder {
  /** Bounds the memory of a record; further series are not compared. */
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
      Point before = newest.get(ident);
      if (before != null && before.tMs == tMs && Double.compare(before.value, value) != 0) {
        String detail =
            "value %s, after %s of the same name and time: what the name leaves out differs, such as a unit or a dropped label"
                .formatted(value, before.value);
        sink.collision(ident, tMs, value, detail, from, to);
        return;
      }
      if (before != null || newest.size() < MAX_SERIES) {
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
