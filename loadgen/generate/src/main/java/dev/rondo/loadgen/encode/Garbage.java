package dev.rondo.loadgen.encode;

import java.nio.charset.StandardCharsets;

/** Records that no decoder accepts, whatever the format of their topic. */
public final class Garbage {
  /** Not a protobuf field, not a msgpack map, too short for snappy, not text. */
  private static final String BYTES = "\u0007\u0000garbage-";

  private Garbage() {}

  /** The {@code n}-th. */
  public static byte[] record(long n) {
    return (BYTES + n).getBytes(StandardCharsets.UTF_8);
  }
}
