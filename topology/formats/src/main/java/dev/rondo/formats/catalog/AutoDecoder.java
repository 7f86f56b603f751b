package dev.rondo.formats.catalog;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.PointSink;
import java.util.EnumMap;
import java.util.Map;

/**
 * Detects the format of each record: the first format that recognises it, otherwise Graphite
 * plaintext. Detection can be wrong: short records can be valid in two formats.
 */
final class AutoDecoder implements Decoder {
  private final DecoderSettings settings;
  private final Map<Format, Decoder> decoders = new EnumMap<>(Format.class);

  AutoDecoder(DecoderSettings settings) {
    this.settings = settings;
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    Format format = Format.recognised(value);
    decoders
        .computeIfAbsent(format, found -> found.unbounded(settings, Definitions.NONE))
        .decode(value, nowMs, sink);
  }
}
