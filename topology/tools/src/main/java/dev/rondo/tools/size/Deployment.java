package dev.rondo.tools.size;

import dev.rondo.topology.archive.Archive;
import java.util.List;

/**
 * The load, and the servers that store it.
 *
 * @param intervalSeconds between the points of a series
 * @param isKeyed whether sources are {@code keyed}
 * @param batch points per record
 * @param replication factor of all topics
 * @param retentionSeconds of the source topics
 * @param busy share of its cores that a part may use, 0..1
 * @param instanceCores cores of an instance of the topology
 * @param instanceHeapBytes most heap of an instance
 * @param postgresCores cores of PostgreSQL
 * @param postgresDiskBytes disk of PostgreSQL
 */
public record Deployment(
    long series,
    double intervalSeconds,
    List<Archive> archives,
    boolean isKeyed,
    int batch,
    int replication,
    double retentionSeconds,
    double busy,
    double instanceCores,
    double instanceHeapBytes,
    double postgresCores,
    double postgresDiskBytes) {
  public static final int REPLICATION = 3;

  public static final double RETENTION_SECONDS = 86_400;

  /** At half load a part that was down catches up in as much time as it was down. */
  public static final double BUSY = 0.5;

  public static final double INSTANCE_CORES = 1;
  public static final double INSTANCE_HEAP_BYTES = 2L << 30;
  public static final double POSTGRES_CORES = 16;
  public static final double POSTGRES_DISK_BYTES = 8e12;

  public Deployment {
    archives = List.copyOf(archives);
  }

  /** With the default replication and machines. */
  public static Deployment of(
      long series, double intervalSeconds, List<Archive> archives, boolean isKeyed, int batch) {
    return new Deployment(
        series,
        intervalSeconds,
        archives,
        isKeyed,
        batch,
        REPLICATION,
        RETENTION_SECONDS,
        BUSY,
        INSTANCE_CORES,
        INSTANCE_HEAP_BYTES,
        POSTGRES_CORES,
        POSTGRES_DISK_BYTES);
  }

  /** Points per second. */
  public double points() {
    return series / intervalSeconds;
  }

  /** Values per second, over all archives. */
  public double values() {
    return archives.stream().mapToDouble(a -> series * 1000.0 / a.shape().stepMs()).sum();
  }

  /** Values that full archives hold. */
  public double storedValues() {
    return archives.stream().mapToDouble(a -> (double) series * a.shape().size()).sum();
  }
}
