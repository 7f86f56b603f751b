package dev.rondo.formats.metrictank;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.io.IOException;
import java.util.HexFormat;
import org.msgpack.core.MessagePackException;

/**
 * Decodes the messages that metrictank reads; the first byte identifies the type.
 *
 * <pre>
 *   a msgpack map   MetricData: Id, Name, Tags ("key=value"), Value, Time (epoch s), and more
 *   00 + 8 bytes    JSON array of MetricData
 *   01 + 8 bytes    msgpack array of MetricData
 *   02 + 32 bytes   MetricPoint: id 16, value 8, time 4 (epoch s), organisation 4; little endian
 *   03 + 28 bytes   MetricPoint without organisation
 *   04              index control: no point
 *   05 + 02 or 03   MetricPoints, one after the other
 * </pre>
 *
 * Name is the measurement, tags are labels. A MetricPoint belongs to the series whose MetricData
 * has the same id: {@link Definitions}. The organisation is ignored. The byte range of every point
 * and drop is the whole record.
 */
public final class MetrictankDecoder implements Decoder {
  private static final byte JSON_ARRAY = 0;
  private static final byte MSGPACK_ARRAY = 1;
  private static final byte INDEX_CONTROL = 4;
  private static final int ARRAY_HEADER_BYTES = 9;
  private static final double SECOND_MS = 1000;

  private final Naming naming;
  private final Definitions definitions;
  private final Labels labels = new Labels();
  private final MetricData data = new MetricData();

  /**
   * Creates a decoder for one partition.
   *
   * @param definitions of the ids in this partition
   */
  public MetrictankDecoder(Naming naming, Definitions definitions) {
    this.naming = naming;
    this.definitions = definitions;
  }

  /** Whether the bytes look like one of these messages. */
  public static boolean recognises(byte[] value) {
    if (value.length == 0) {
      return false;
    }
    MetricData first = new MetricData();
    try {
      switch (value[0]) {
        case JSON_ARRAY -> {
          try (JsonReader in = new JsonReader(value, ARRAY_HEADER_BYTES)) {
            in.read(first);
          }
        }
        case MSGPACK_ARRAY -> {
          MsgpackReader in = new MsgpackReader(value, ARRAY_HEADER_BYTES);
          in.enterArray();
          in.read(first);
        }
        default -> {
          if (MetricPoints.areAllOf(value)) {
            return true;
          }
          new MsgpackReader(value, 0).read(first);
        }
      }
      return first.isComplete();
    } catch (MessagePackException | IOException e) {
      return false;
    }
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    if (MetricPoints.areIn(value)) {
      points(value, sink);
      return;
    }
    switch (value.length == 0 ? -1 : value[0]) {
      case JSON_ARRAY -> jsonArray(value, sink);
      case MSGPACK_ARRAY -> msgpack(value, ARRAY_HEADER_BYTES, sink);
      case INDEX_CONTROL ->
          sink.drop(DropReason.UNSUPPORTED, "an index control message", 0, value.length);
      default -> msgpack(value, 0, sink);
    }
  }

  private void points(byte[] value, PointSink sink) {
    MetricPoints points = new MetricPoints(value);
    while (points.next()) {
      point(points, value.length, sink);
    }
    if (points.remaining() > 0) {
      String what = "%d bytes that are not a MetricPoint".formatted(points.remaining());
      sink.drop(DropReason.UNREADABLE, what, 0, value.length);
    }
  }

  private void point(MetricPoints points, int bytes, PointSink sink) {
    byte[] id = points.id();
    String definition = definitions.get(id);
    if (definition == null) {
      sink.drop(DropReason.UNKNOWN_ID, unknown(id), 0, bytes);
      return;
    }
    try {
      String ident = Definition.of(definition).ident(naming, labels);
      emit(ident, points.tMs(), points.value(), bytes, sink);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), 0, bytes);
    }
  }

  private String unknown(byte[] id) {
    String why =
        definitions.areKept()
            ? "no MetricData with this id has arrived on this partition"
            : "ids are only resolved with format: metrictank";
    return "id " + HexFormat.of().formatHex(id) + ": " + why;
  }

  private void jsonArray(byte[] value, PointSink sink) {
    try (JsonReader in = new JsonReader(value, ARRAY_HEADER_BYTES)) {
      while (in.read(data)) {
        data(value.length, sink);
      }
    } catch (IOException e) {
      String what = "JSON array of MetricData: " + Excerpt.of(e.getMessage());
      sink.drop(DropReason.UNREADABLE, what, 0, value.length);
    }
  }

  /**
   * Decodes one MetricData or an array. Stops at an unreadable element, because the start of the
   * next is unknown.
   */
  private void msgpack(byte[] value, int header, PointSink sink) {
    MsgpackReader in = new MsgpackReader(value, header);
    int from = 0;
    try {
      int length = header == 0 ? 1 : in.enterArray();
      for (int n = 0; n < length; n++) {
        from = in.at();
        in.read(data);
        data(value.length, sink);
      }
      from = in.at();
      if (from < value.length) {
        throw new IOException(value.length - from + " extra bytes");
      }
    } catch (MessagePackException | IOException e) {
      String what = "msgpack of MetricData, byte %d: %s".formatted(from, Excerpt.of(message(e)));
      sink.drop(DropReason.UNREADABLE, what, 0, value.length);
    }
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? "truncated" : e.getMessage();
  }

  private void data(int bytes, PointSink sink) {
    try {
      Definition definition = data.definition();
      String ident = definition.ident(naming, labels);
      byte[] id = definitions.areKept() ? data.id() : null;
      if (id != null) {
        definitions.put(id, definition.text());
      }
      emit(ident, Math.round(data.timeS() * SECOND_MS), data.value(), bytes, sink);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), 0, bytes);
    }
  }

  private static void emit(String ident, long tMs, double value, int bytes, PointSink sink)
      throws DroppedException {
    if (tMs <= 0) {
      throw DroppedException.unreadable("time %d of '%s' is not after 1970".formatted(tMs, ident));
    }
    sink.point(ident, tMs, value, 0, bytes);
  }
}
