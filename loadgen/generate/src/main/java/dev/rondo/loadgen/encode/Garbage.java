package dev.rondo.loadgen.encode;

import java.nio.charset.StandardCharsets;

/** Records that no decoder can read, whatever the format of their topic. */
public final class Garbage {
  /** No field of protobuf, no map of msgpack, no snappy of so few bytes, no text. */
  private static final String BYTES = "\u0007\u0000garbage-";

  private Garbage() {}

  /** The {@code n}-th. */
  public static byte[] record(long n) {
    return (BYTES + n).getBytes(StandardCharsets.UTF_8);
  }
}
