package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import java.util.Arrays;

/**
 * Removes the framing from records of a format that is read without its schema. Byte ranges exclude
 * the framing, so that each is a valid record by itself.
 */
public final class UnframedDecoder implements Decoder {
  private final Decoder decoder;

  public UnframedDecoder(Decoder decoder) {
    this.decoder = decoder;
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    int payload = Framing.payload(value);
    if (payload == 0) {
      decoder.decode(value, nowMs, sink);
    } else {
      byte[] unframed = Arrays.copyOfRange(value, payload, value.length);
      decoder.decode(unframed, nowMs, new Shifted(sink, payload));
    }
  }

  private record Shifted(PointSink sink, int bytes) implements PointSink {
    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      sink.point(ident, tMs, value, from + bytes, to + bytes);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      sink.drop(reason, detail, from + bytes, to + bytes);
    }
  }
}
