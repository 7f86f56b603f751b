package dev.rondo.client;

import java.util.Map;
import org.apache.kafka.clients.producer.Producer;

/**
 * A {@code compression.type} of Kafka's producer that needs a library. Without it, a producer may
 * not fail before its sends.
 *
 * @param type the first class of the library that loads it, native code included
 */
record Codec(String library, String type) {
  private static final Map<String, Codec> BY_NAME =
      Map.of(
          "lz4", new Codec("at.yawk.lz4:lz4-java", "net.jpountz.lz4.LZ4Factory"),
          "snappy", new Codec("org.xerial.snappy:snappy-java", "org.xerial.snappy.Snappy"),
          "zstd", new Codec("com.github.luben:zstd-jni", "com.github.luben.zstd.Zstd"));

  /** Returns the library of a codec that kafka-clients cannot load; empty if none is missing. */
  static String missingLibrary(String name) {
    Codec codec = BY_NAME.get(name);
    return codec == null || codec.isLoaded() ? "" : codec.library;
  }

  private boolean isLoaded() {
    try {
      Class.forName(type, true, Producer.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | Error e) { // including errors of native code
      return false;
    }
  }
}
