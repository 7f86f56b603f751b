package dev.rondo.topology.source;

import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.format.Decoder;
import dev.rondo.topology.format.DroppedException;
import dev.rondo.topology.format.Labels;
import dev.rondo.topology.format.Naming;
import dev.rondo.topology.format.PointSink;

/**
 * Names of a format whose records carry whole idents, where a user wants them otherwise: the name
 * of an ident is the measurement, its tags are the labels.
 */
final class ReadyIdents implements Decoder {
  private final Decoder decoder;
  private final Naming naming;
  private final Labels labels = new Labels();

  private ReadyIdents(Decoder decoder, Naming naming) {
    this.decoder = decoder;
    this.naming = naming;
  }

  /** {@code decoder} itself where its idents stay as they are. */
  static Decoder of(DecoderSettings settings, Decoder decoder) {
    return settings.names().isNone() ? decoder : new ReadyIdents(decoder, settings.naming());
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    decoder.decode(value, nowMs, new Renaming(sink));
  }

  private String renamed(String ident) throws DroppedException {
    labels.clear();
    int nameEnd = ident.indexOf(';');
    if (nameEnd < 0) {
      return naming.ident(ident, "", labels);
    }
    for (int from = nameEnd + 1; from < ident.length(); ) {
      int semicolon = ident.indexOf(';', from);
      int to = semicolon < 0 ? ident.length() : semicolon;
      int equals = ident.indexOf('=', from);
      labels.put(ident.substring(from, equals), ident.substring(equals + 1, to));
      from = to + 1;
    }
    return naming.ident(ident.substring(0, nameEnd), "", labels);
  }

  /** Hands on what the format finds, under other names. */
  private final class Renaming implements PointSink {
    private final PointSink sink;

    Renaming(PointSink sink) {
      this.sink = sink;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      try {
        sink.point(renamed(ident), tMs, value, from, to);
      } catch (DroppedException e) {
        sink.drop(e.reason(), e.getMessage(), from, to);
      }
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      sink.drop(reason, detail, from, to);
    }
  }
}
