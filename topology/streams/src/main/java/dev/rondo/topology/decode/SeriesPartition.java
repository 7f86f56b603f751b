package dev.rondo.topology.decode;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/** The partition of a series in by-series. */
public final class SeriesPartition {
  private SeriesPartition() {}

  /** Kafka's default hash of the ident. */
  public static int of(String ident, int partitions) {
    int hash = Utils.murmur2(ident.getBytes(StandardCharsets.UTF_8));
    return Utils.toPositive(hash) % partitions;
  }
}
