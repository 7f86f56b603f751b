package dev.rondo.tools.size;

import static dev.rondo.tools.size.Coefficients.BROKER_IDLE_CORES;
import static dev.rondo.tools.size.Coefficients.BROKER_VALUE;
import static dev.rondo.tools.size.Coefficients.BROKER_VALUE_BYTES;
import static dev.rondo.tools.size.Coefficients.CHANGELOG_SERIES_BYTES;
import static dev.rondo.tools.size.Coefficients.CONNECT_IDLE_CORES;
import static dev.rondo.tools.size.Coefficients.CONNECT_VALUE;
import static dev.rondo.tools.size.Coefficients.FIVE_HUNDRED_SERIES_MS;
import static dev.rondo.tools.size.Coefficients.FOLLOWER_SHARE;
import static dev.rondo.tools.size.Coefficients.HEAP_ANY_SERIES_BYTES;
import static dev.rondo.tools.size.Coefficients.HEAP_ARCHIVE_BYTES;
import static dev.rondo.tools.size.Coefficients.HEAP_BYTES;
import static dev.rondo.tools.size.Coefficients.HEAP_SERIES_BYTES;
import static dev.rondo.tools.size.Coefficients.ONE_SERIES_MS;
import static dev.rondo.tools.size.Coefficients.PAGE_BYTES;
import static dev.rondo.tools.size.Coefficients.POSTGRES_NEW_SERIES;
import static dev.rondo.tools.size.Coefficients.POSTGRES_VALUE;
import static dev.rondo.tools.size.Coefficients.ROW_VALUE_BYTES;
import static dev.rondo.tools.size.Coefficients.SERIES_BYTES;
import static dev.rondo.tools.size.Coefficients.TASK_VALUES_PER_SECOND;
import static dev.rondo.tools.size.Coefficients.TOPOLOGY_IDLE_CORES;
import static dev.rondo.tools.size.Coefficients.TOPOLOGY_VALUE;
import static dev.rondo.tools.size.Coefficients.VALUE_BYTES;
import static dev.rondo.tools.size.Coefficients.WAL_BYTES_PER_SECOND;
import static dev.rondo.tools.size.Coefficients.WAL_VALUE_BYTES;

import dev.rondo.topology.archive.Archive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a deployment needs. Each part is linear in points and values per second, by {@link
 * Coefficients}.
 *
 * @param points per second
 * @param values per second, in all archives
 * @param partitions of the sources, of the by-series topic and of the output topics
 * @param limits the first is reached first
 */
public record Sizing(
    double points,
    double values,
    Topology topology,
    int partitions,
    Broker broker,
    Connect connect,
    Postgres postgres,
    Api api,
    List<Limit> limits) {
  /** As {@code ./rondo up} has, and as the costs were measured; the number is fixed for good. */
  private static final int PARTITIONS_PER_INSTANCE = 16;

  /** Default width of a row. */
  static final int WIDTH = 116;

  /** Segments of a partition: a segment number is {@code partition << 16 | n}. */
  private static final double SEGMENTS_PER_PARTITION = 1 << 16;

  private static final int MIN_TASKS = 2;

  /** Retention of the topic of rows, when the topology creates it. */
  private static final double ROWS_RETENTION_SECONDS = 7 * 86_400.0;

  /**
   * The instances of the topology.
   *
   * @param cores that all use
   * @param instanceCores that one uses
   * @param instanceHeapBytes of one; it has room for a share of a lost instance
   */
  public record Topology(
      int instances,
      double cores,
      double instanceCores,
      double instanceSeries,
      double instanceHeapBytes) {}

  /**
   * All brokers together.
   *
   * @param diskBytesPerSecond written, over all replicas
   * @param sourceBytes that source topics keep, over all replicas
   * @param rowBytes the same of rows, with the retention that the topology gives them
   * @param stateBytes the same of changelogs
   * @param inBytesPerSecond from clients and other brokers
   * @param outBytesPerSecond to clients and other brokers
   */
  public record Broker(
      double cores,
      double diskBytesPerSecond,
      double sourceBytes,
      double rowBytes,
      double stateBytes,
      double inBytesPerSecond,
      double outBytesPerSecond) {
    /** That topics keep, over all replicas; the by-series topic is deleted once it is read. */
    public double diskBytes() {
      return sourceBytes + rowBytes + stateBytes;
    }
  }

  /** The sink's tasks. */
  public record Connect(int tasks, double cores) {}

  /**
   * PostgreSQL's primary.
   *
   * @param rowsPerSecond that the sink writes, if rows are full
   * @param walBytesPerSecond that it writes, and a standby receives
   * @param archiveBytes on disk of each archive when it is full
   * @param seriesBytes on disk of names and their indexes
   * @param cachedBytes of the pages that are written next, which shared_buffers should hold
   * @param newSeriesCpuSeconds once, when all series are new
   */
  public record Postgres(
      double cores,
      double rowsPerSecond,
      double walBytesPerSecond,
      List<Double> archiveBytes,
      double seriesBytes,
      double diskBytes,
      double cachedBytes,
      double newSeriesCpuSeconds) {}

  /**
   * The query API, and PostgreSQL for it.
   *
   * @param oneSeriesPerCore responses per second and core with one series, six hours of 10 s
   * @param fiveHundredPerCore the same with 500 series
   */
  public record Api(double oneSeriesPerCore, double fiveHundredPerCore) {}

  /** Sizes a deployment. */
  public static Sizing of(Deployment deployment) {
    return of(deployment, instances(deployment));
  }

  /** Sizes a deployment with this number of instances of the topology. */
  public static Sizing of(Deployment deployment, int instances) {
    double values = deployment.values();
    int partitions = PARTITIONS_PER_INSTANCE * instances;
    Topology topology =
        new Topology(
            instances,
            topologyCores(deployment) + instances * TOPOLOGY_IDLE_CORES,
            topologyCores(deployment) / instances + TOPOLOGY_IDLE_CORES,
            (double) deployment.series() / instances,
            heapBytes(deployment, instances));
    double connectCores = values * CONNECT_VALUE / 1e6 + CONNECT_IDLE_CORES;
    int tasks =
        (int)
            Math.max(
                MIN_TASKS,
                Math.ceil(
                    Math.max(
                        connectCores / deployment.busy(),
                        values / (TASK_VALUES_PER_SECOND * deployment.busy()))));
    return new Sizing(
        deployment.points(),
        values,
        topology,
        partitions,
        broker(deployment, instances),
        new Connect(tasks, connectCores),
        postgres(deployment),
        new Api(1000 / ONE_SERIES_MS, 1000 / FIVE_HUNDRED_SERIES_MS),
        limits(deployment, topology, partitions));
  }

  /** The smallest number of instances that have enough CPU and heap. */
  private static int instances(Deployment deployment) {
    double usable = deployment.instanceCores() * deployment.busy() - TOPOLOGY_IDLE_CORES;
    int instances = (int) Math.max(1, Math.ceil(topologyCores(deployment) / usable));
    double fixed = HEAP_BYTES + HEAP_ANY_SERIES_BYTES * deployment.series();
    if (fixed >= deployment.instanceHeapBytes()) {
      throw new IllegalArgumentException(
          "%,d series need %,.0f MB in each instance, however many there are: more than its heap of %,.0f MB (--heap)"
              .formatted(deployment.series(), fixed / 1e6, deployment.instanceHeapBytes() / 1e6));
    }
    while (heapBytes(deployment, instances) > deployment.instanceHeapBytes()) {
      instances++;
    }
    return instances;
  }

  /** Cores of the topology for points and values, without those of idle instances. */
  private static double topologyCores(Deployment deployment) {
    return (deployment.points() * path(deployment).topology(deployment.batch())
            + deployment.values() * TOPOLOGY_VALUE)
        / 1e6;
  }

  /** Heap of an instance while one of several is lost. */
  private static double heapBytes(Deployment deployment, int instances) {
    double perSeries = HEAP_SERIES_BYTES + HEAP_ARCHIVE_BYTES * (deployment.archives().size() - 3);
    return HEAP_BYTES
        + perSeries * deployment.series() / Math.max(1, instances - 1)
        + HEAP_ANY_SERIES_BYTES * deployment.series();
  }

  private static Coefficients.Path path(Deployment deployment) {
    return deployment.isKeyed() ? Coefficients.KEYED : Coefficients.UNKEYED;
  }

  private static Broker broker(Deployment deployment, int instances) {
    double leaderCores =
        (deployment.points() * path(deployment).broker(deployment.batch())
                    + deployment.values() * BROKER_VALUE)
                / 1e6
            + instances * BROKER_IDLE_CORES;
    double leaderBytes =
        deployment.points() * path(deployment).bytes(deployment.batch())
            + deployment.values() * BROKER_VALUE_BYTES;
    int followers = deployment.replication() - 1;
    double allBytes = leaderBytes * deployment.replication();
    return new Broker(
        leaderCores * (1 + FOLLOWER_SHARE * followers),
        allBytes,
        deployment.points()
            * path(deployment).source(deployment.batch())
            * deployment.retentionSeconds()
            * deployment.replication(),
        deployment.values() * ROW_VALUE_BYTES * ROWS_RETENTION_SECONDS * deployment.replication(),
        deployment.series() * CHANGELOG_SERIES_BYTES * deployment.replication(),
        allBytes,
        allBytes);
  }

  private static Postgres postgres(Deployment deployment) {
    List<Double> archiveBytes =
        deployment.archives().stream().map(archive -> bytes(deployment, archive)).toList();
    double seriesBytes = SERIES_BYTES * deployment.series();
    double segments = (double) deployment.series() / WIDTH;
    return new Postgres(
        deployment.values() * POSTGRES_VALUE / 1e6,
        deployment.values() / WIDTH,
        deployment.values() * WAL_VALUE_BYTES,
        archiveBytes,
        seriesBytes,
        seriesBytes + deployment.storedValues() * VALUE_BYTES,
        segments * PAGE_BYTES * deployment.archives().size() + seriesBytes,
        deployment.series() * POSTGRES_NEW_SERIES / 1e6);
  }

  private static double bytes(Deployment deployment, Archive archive) {
    return (double) deployment.series() * archive.shape().size() * VALUE_BYTES;
  }

  /** Each part is linear in the number of series, so that a limit is as far as it has room. */
  private static List<Limit> limits(Deployment deployment, Topology topology, int partitions) {
    Postgres postgres = postgres(deployment);
    double series = deployment.series();
    var limits = new ArrayList<Limit>();
    limits.add(
        new Limit(
            "CPU of PostgreSQL, %.0f cores at %.0f %%"
                .formatted(deployment.postgresCores(), 100 * deployment.busy()),
            series * deployment.postgresCores() * deployment.busy() / postgres.cores(),
            "more cores (--postgres-cores); there is one primary"));
    limits.add(
        new Limit(
            "disk of PostgreSQL, %.1f TB".formatted(deployment.postgresDiskBytes() / 1e12),
            series * deployment.postgresDiskBytes() / postgres.diskBytes(),
            "a larger disk (--postgres-disk), shorter archives"));
    limits.add(
        new Limit(
            "WAL of PostgreSQL, %.0f MB/s".formatted(WAL_BYTES_PER_SECOND / 1e6),
            series * WAL_BYTES_PER_SECOND / postgres.walBytesPerSecond(),
            "a faster disk, coarser archives, longer intervals between checkpoints"));
    limits.add(
        new Limit(
            "instances of the topology, one a partition (%,d)".formatted(partitions),
            topology.instanceSeries() * partitions,
            "more partitions, before the first start"));
    limits.add(
        new Limit(
            "heap of an instance, %.0f GB: each knows all names"
                .formatted(deployment.instanceHeapBytes() / (1 << 30)),
            (deployment.instanceHeapBytes() - HEAP_BYTES) / HEAP_ANY_SERIES_BYTES,
            "more heap (--heap)"));
    limits.add(
        new Limit(
            "segments of %,d partitions".formatted(partitions),
            SEGMENTS_PER_PARTITION * WIDTH * partitions,
            "more partitions, before the first start"));
    limits.sort(Comparator.comparingDouble(Limit::series));
    return List.copyOf(limits);
  }
}
