package dev.rondo.tools.size;

/**
 * The costs that {@link Sizing} computes with, by the names of {@code coefficients.yaml}, which has
 * units, dates and the commands that measured them.
 */
final class Coefficients {
  private Coefficients() {}

  static final MeasuredCosts FILE = MeasuredCosts.read();

  /** A keyed source in the native format. */
  static final Path KEYED = Path.of("keyed");

  /** An unkeyed source of Graphite lines: its points pass another topic and are merged in order. */
  static final Path UNKEYED = Path.of("unkeyed");

  /** CPU of a value: topology (segments, rows), broker (rows, changelogs), Connect, PostgreSQL. */
  static final double TOPOLOGY_VALUE = FILE.cost("topology.value");

  static final double BROKER_VALUE = FILE.cost("broker.value");
  static final double CONNECT_VALUE = FILE.cost("connect.value");
  static final double POSTGRES_VALUE = FILE.cost("postgres.value");

  /** Bytes to the broker's disk for a value: its row and the changelog of its segment. */
  static final double BROKER_VALUE_BYTES = FILE.cost("broker.value.bytes");

  /** The row's share of them, which the topic of rows keeps. */
  static final double ROW_VALUE_BYTES = FILE.cost("row.value.bytes");

  /** Bytes of a series that stay in the changelogs. */
  static final double CHANGELOG_SERIES_BYTES = FILE.cost("changelog.series.bytes");

  /** Cores that an instance of the topology uses, however few its points are. */
  static final double TOPOLOGY_IDLE_CORES = FILE.cost("topology.idle.cores");

  /** The same of the brokers, for an instance of the topology: it commits all its partitions. */
  static final double BROKER_IDLE_CORES = FILE.cost("broker.idle.cores");

  static final double CONNECT_IDLE_CORES = FILE.cost("connect.idle.cores");

  /** Recommended heap: fixed, and per series of the instance. */
  static final double HEAP_BYTES = FILE.cost("heap.bytes");

  static final double HEAP_SERIES_BYTES = FILE.cost("heap.series.bytes");

  /** Heap per series of the whole application, in each instance. */
  static final double HEAP_ANY_SERIES_BYTES = FILE.cost("heap.any.series.bytes");

  /** Part of HEAP_SERIES_BYTES that an archive more or less than three changes. */
  static final double HEAP_ARCHIVE_BYTES = FILE.cost("heap.archive.bytes");

  /** Table and index, per value of a full archive; and per series, its names and their indexes. */
  static final double VALUE_BYTES = FILE.cost("stored.value.bytes");

  static final double SERIES_BYTES = FILE.cost("stored.series.bytes");

  /** WAL per value: the new row version, and the full page after a checkpoint. */
  static final double WAL_VALUE_BYTES = FILE.cost("wal.value.bytes");

  /** WAL at which the disk of the machine was the limit, bytes/s. */
  static final double WAL_BYTES_PER_SECOND = FILE.cost("wal.bytes.per.second");

  /** Values that one task of the sink writes per second. */
  static final double TASK_VALUES_PER_SECOND = FILE.cost("task.values.per.second");

  /** A page of PostgreSQL: the one that a segment fills next should be in memory. */
  static final double PAGE_BYTES = 8192;

  /** CPU of PostgreSQL for a new series. */
  static final double POSTGRES_NEW_SERIES = FILE.cost("postgres.new.series");

  static final double ONE_SERIES_MS = FILE.cost("one.series.ms");
  static final double FIVE_HUNDRED_SERIES_MS = FILE.cost("five.hundred.series.ms");

  /** CPU of the broker for each further replica, as a share of the leader's. */
  static final double FOLLOWER_SHARE = FILE.cost("follower.share");

  /**
   * The way of a point into the topology.
   *
   * @param topologyPoint CPU of a point, with the share of its record taken out
   * @param topologyRecord CPU of a record
   * @param brokerPoint the same of the broker
   * @param pointBytes to the broker's disk
   * @param recordBytes to the broker's disk
   * @param sourceBytes part of pointBytes that is in the source topic
   */
  record Path(
      double topologyPoint,
      double topologyRecord,
      double brokerPoint,
      double brokerRecord,
      double pointBytes,
      double recordBytes,
      double sourceBytes) {
    private static Path of(String kind) {
      return new Path(
          FILE.cost(kind + ".topology.point"),
          FILE.cost(kind + ".topology.record"),
          FILE.cost(kind + ".broker.point"),
          FILE.cost(kind + ".broker.record"),
          FILE.cost(kind + ".point.bytes"),
          FILE.cost(kind + ".record.bytes"),
          FILE.cost(kind + ".source.bytes"));
    }

    double topology(int batch) {
      return topologyPoint + topologyRecord / batch;
    }

    double broker(int batch) {
      return brokerPoint + brokerRecord / batch;
    }

    double bytes(int batch) {
      return pointBytes + recordBytes / batch;
    }

    /** Bytes of a point that the source topic keeps. */
    double source(int batch) {
      return sourceBytes + recordBytes / batch;
    }
  }
}
