package dev.rondo.tools.size;

/**
 * The measured costs that {@link Sizing} computes with, all in this file, each with the command
 * that measures it. All are of one machine with 2 cores of an Intel Xeon; docs/benchmarks has the
 * figures. When a benchmark prints others, change them here.
 *
 * <p>CPU is seconds per million. A <em>value</em> is one slot of one series in one archive; with
 * the default archives and a point every 10 s there are 1.17 values to a point.
 */
final class Coefficients {
  private Coefficients() {}

  // ./rondo bench ingest --profile second,second-batch,keyed,batch,unkeyed,relay, and batch with
  // --series 3000000 (docs/benchmarks/README.md). The cost of a value and that of an idle part are
  // from rates of 60 000 and 300 000 points/s, and from a point every 10 s and every second.

  /** A keyed source in the native format. */
  static final Path KEYED = new Path(0.54, 0.69, 0.45, 0.10, 42, 15);

  /** An unkeyed source of Graphite lines: its points pass another topic and are merged in order. */
  static final Path UNKEYED = new Path(2.0, 0.67, 0.79, 0.17, 85, 8);

  /** CPU of a value: topology (segments, rows), broker (rows, changelogs), Connect, PostgreSQL. */
  static final double TOPOLOGY_VALUE = 0.33;

  static final double BROKER_VALUE = 0.12;
  static final double CONNECT_VALUE = 0.21;
  static final double POSTGRES_VALUE = 0.5;

  /** Bytes to the broker's disk for a value: its row and the changelog of its segment. */
  static final double BROKER_VALUE_BYTES = 12;

  /** Cores that an instance of the topology uses, however few its points are. */
  static final double TOPOLOGY_IDLE_CORES = 0.05;

  /** The same of the brokers, for an instance of the topology: it commits all its partitions. */
  static final double BROKER_IDLE_CORES = 0.09;

  static final double CONNECT_IDLE_CORES = 0.02;

  /** Points of a record in the relay and batch profiles. */
  static final int BATCH = 100;

  // ./rondo bench memory (docs/benchmarks/README.md)

  /** Recommended heap: fixed, and per series of the instance. */
  static final double HEAP_BYTES = 64 * 1024.0 * 1024;

  static final double HEAP_SERIES_BYTES = 760;

  /** Heap per series of the whole application, in each instance. */
  static final double HEAP_ANY_SERIES_BYTES = 20;

  /** Part of HEAP_SERIES_BYTES that an archive more or less than three changes; topology/README. */
  static final double HEAP_ARCHIVE_BYTES = 2 * 32;

  // ./rondo bench storage (docs/benchmarks/storage.md)

  /** Table and index, per value of a full archive; and per series, its names and their indexes. */
  static final double VALUE_BYTES = 10.6;

  static final double SERIES_BYTES = 346;

  // ./rondo bench sink (docs/benchmarks/sink-and-read.md)

  /** WAL per value: the new row version, and the full page after a checkpoint. */
  static final double WAL_VALUE_BYTES = 20;

  /** WAL at which the disk of the machine was the limit, bytes/s. */
  static final double WAL_BYTES_PER_SECOND = 100e6;

  /** Values that one task of the sink writes per second. */
  static final double TASK_VALUES_PER_SECOND = 3e6;

  /** A page of PostgreSQL: the one that a segment fills next should be in memory. */
  static final double PAGE_BYTES = 8192;

  // ./rondo bench cold-start (docs/benchmarks/ingest.md)

  /** CPU of PostgreSQL for a new series. */
  static final double POSTGRES_NEW_SERIES = 47;

  // ./rondo bench query (docs/benchmarks/query.md): CPU ms of an answer, PostgreSQL included

  static final double ONE_SERIES_MS = 7.5;
  static final double FIVE_HUNDRED_SERIES_MS = 470;

  // Not measured: this machine has one broker. A follower appends what the leader sends, without
  // decompressing or
  // validating it.

  /** CPU of the broker for each further replica, as a share of the leader's. */
  static final double FOLLOWER_SHARE = 0.5;

  /**
   * The way of a point into the topology.
   *
   * @param topologyPoint CPU of a point, with the share of its record taken out
   * @param topologyRecord CPU of a record
   * @param brokerPoint the same of the broker
   * @param pointBytes to the broker's disk
   * @param recordBytes to the broker's disk
   */
  record Path(
      double topologyPoint,
      double topologyRecord,
      double brokerPoint,
      double brokerRecord,
      double pointBytes,
      double recordBytes) {
    double topology(int batch) {
      return topologyPoint + topologyRecord / batch;
    }

    double broker(int batch) {
      return brokerPoint + brokerRecord / batch;
    }

    double bytes(int batch) {
      return pointBytes + recordBytes / batch;
    }
  }
}
