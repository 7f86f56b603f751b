package dev.rondo.formats.json;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.mapping.MappedPoints;
import dev.rondo.formats.mapping.Tree;

/**
 * Decodes JSON by a mapping. As with the dialects, a record holds any number of values or arrays of
 * them, and the bytes of a point are its object.
 */
public final class MappedJsonDecoder implements Decoder {
  private final MappedPoints points;
  private final Tape element = new Tape();
  private final Tree tree = new TapeTree(element);

  /** Creates a decoder; {@code points} must not be shared. */
  public MappedJsonDecoder(MappedPoints points) {
    this.points = points;
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    try (Elements elements = new Elements(value)) {
      while (elements.next(element)) {
        if (element.isObject(0)) {
          points.emit(tree, 0, nowMs, sink, elements.from(), elements.to());
        } else {
          sink.drop(DropReason.UNREADABLE, "not an object", elements.from(), elements.to());
        }
      }
      elements.dropFault(sink);
    }
  }
}
