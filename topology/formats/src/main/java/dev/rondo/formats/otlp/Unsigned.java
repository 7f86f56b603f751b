package dev.rondo.formats.otlp;

/** Converts Protobuf's unsigned 64-bit counts, which Java holds in a long. */
final class Unsigned {
  private Unsigned() {}

  static double toDouble(long count) {
    return count >= 0 ? count : 2.0 * ((count >>> 1) | (count & 1));
  }
}
