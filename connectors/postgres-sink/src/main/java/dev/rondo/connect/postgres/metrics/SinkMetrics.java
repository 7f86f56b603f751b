package dev.rondo.connect.postgres.metrics;

import dev.rondo.connect.postgres.changes.WriteCounts;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.schemas.RowArrival;
import java.time.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Metrics of one task, updated by the task's thread a few times per put and read by any thread. No
 * method blocks or fails.
 */
public final class SinkMetrics implements PostgresSinkMXBean {
  private static final double NANOS = 1e9;
  private static final long NEVER = Long.MIN_VALUE;
  private static final int MAX_ERROR = 300;

  private final Database database;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final DoubleSupplier waitingRecords;
  private final long startNanos;

  private final StoredLag storedLag = new StoredLag();
  private final PutHistogram histogram = new PutHistogram();
  private final LastPuts lastPuts = new LastPuts();
  private final MinuteRate rowRate = new MinuteRate();
  private final MinuteRate valueRate = new MinuteRate();
  private final Counts retries = new Counts();
  private final Counts rejected = new Counts();
  private final Set<TopicPartition> partitions = new HashSet<>();

  private long rows;
  private long values;
  private long series;
  private long transactions;
  private long lostRecords;
  private int rowsOfPut;
  private long putBeganNanos;
  private double lastPutAtS = Double.NaN;
  private double retryingSinceS = Double.NaN;
  private String retryReason; // null: nothing is retried
  private String retryError;
  private long newestEndMs = NEVER;

  /** When the oldest record of the put that is not done was written, epoch ms. */
  private long puttingSinceMs = NEVER;

  /** When the newest record of the last put that was done was written, epoch ms. */
  private long doneUntilMs = NEVER;

  private long newestOfPutMs = NEVER;

  /**
   * Metrics of a task that starts now.
   *
   * @param clock for the age of slots
   * @param nanoTime for durations
   * @param waitingRecords number of records that Kafka has for the task
   */
  public SinkMetrics(
      Database database, Clock clock, LongSupplier nanoTime, DoubleSupplier waitingRecords) {
    this.database = database;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.waitingRecords = waitingRecords;
    this.startNanos = nanoTime.getAsLong();
  }

  /**
   * A put starts.
   *
   * @param oldestMs when its oldest record was written, epoch ms; {@link Long#MAX_VALUE}: it has
   *     none
   * @param newestMs when its newest one was; {@link Long#MIN_VALUE}: it has none
   */
  public synchronized void putStarted(long oldestMs, long newestMs) {
    puttingSinceMs = oldestMs == Long.MAX_VALUE ? NEVER : oldestMs;
    newestOfPutMs = newestMs;
    putBeganNanos = nanoTime.getAsLong();
    rowsOfPut = 0;
  }

  /**
   * A transaction of the put was committed.
   *
   * @param newestMs end of the newest slot that was closed when its row was made, epoch ms; {@code
   *     Long.MIN_VALUE}: none
   */
  public synchronized void committed(WriteCounts written, long newestMs) {
    transactions++;
    rows += written.rows();
    values += written.values();
    series += written.series();
    rowsOfPut += written.rows();
    newestEndMs = Math.max(newestEndMs, newestMs);
    rowRate.add(second(), written.rows());
    valueRate.add(second(), written.values());
  }

  /** Values are in PostgreSQL whose points had this arrival. */
  public synchronized void stored(RowArrival arrival, int known) {
    storedLag.add(arrival, known, clock.millis());
  }

  /** The put is done: each record is stored or rejected. */
  public synchronized void putFinished() {
    puttingSinceMs = NEVER;
    doneUntilMs = newestOfPutMs == NEVER ? doneUntilMs : newestOfPutMs;
    double tookS = (nanoTime.getAsLong() - putBeganNanos) / NANOS;
    histogram.add(tookS);
    lastPuts.add(tookS, rowsOfPut);
    lastPutAtS = nowS();
    retryingSinceS = Double.NaN;
    retryReason = null;
    retryError = null;
  }

  /**
   * The put failed and will be retried.
   *
   * @param reason SQLSTATE or {@code kafka}
   * @param error text of the failure, one line
   */
  public synchronized void retried(String reason, String error) {
    retries.add(reason);
    if (!reason.equals(retryReason)) {
      retryReason = reason;
      retryError = error.substring(0, Math.min(error.length(), MAX_ERROR));
    }
    if (Double.isNaN(retryingSinceS)) {
      retryingSinceS = nowS();
    }
  }

  /**
   * A record cannot be stored.
   *
   * @param reason SQLSTATE or {@code unreadable}
   */
  public synchronized void rejected(String reason) {
    rejected.add(reason);
  }

  /** Kafka deleted records before they were applied. */
  public synchronized void lost(long records) {
    lostRecords += records;
  }

  /** The task was assigned these partitions. */
  public synchronized void assign(Collection<TopicPartition> more) {
    partitions.addAll(more);
  }

  /** The task no longer has these partitions; without any it has no lag. */
  public synchronized void revoke(Collection<TopicPartition> fewer) {
    partitions.removeAll(fewer);
    if (partitions.isEmpty()) {
      puttingSinceMs = NEVER;
      doneUntilMs = NEVER;
    }
  }

  @Override
  public synchronized long getRowsTotal() {
    return rows;
  }

  @Override
  public synchronized long getValuesTotal() {
    return values;
  }

  @Override
  public synchronized long getSeriesTotal() {
    return series;
  }

  @Override
  public synchronized long getTransactionsTotal() {
    return transactions;
  }

  @Override
  public synchronized double getRowsPerSecond() {
    return rowRate.perSecond(second());
  }

  @Override
  public synchronized double getValuesPerSecond() {
    return valueRate.perSecond(second());
  }

  @Override
  public synchronized Double getRowsPerPut() {
    return lastPuts.rowsPerPut();
  }

  @Override
  public synchronized Map<String, Long> getPutSecondsBucket() {
    return histogram.cumulative();
  }

  @Override
  public synchronized double getPutSecondsSum() {
    return histogram.sumS();
  }

  @Override
  public synchronized long getPutSecondsCount() {
    return histogram.count();
  }

  @Override
  public synchronized Double getPutSecondsP50() {
    return lastPuts.quantileS(0.5);
  }

  @Override
  public synchronized Double getPutSecondsP99() {
    return lastPuts.quantileS(0.99);
  }

  @Override
  public synchronized Double getPutSecondsMax() {
    return lastPuts.quantileS(1);
  }

  @Override
  public synchronized Map<String, Long> getRetriesTotal() {
    return retries.all();
  }

  @Override
  public synchronized Map<String, Long> getRejectedRecordsTotal() {
    return rejected.all();
  }

  @Override
  public synchronized long getLostRecordsTotal() {
    return lostRecords;
  }

  @Override
  public boolean isConnected() {
    return database.isOpen();
  }

  @Override
  public long getConnectsTotal() {
    return database.connects();
  }

  @Override
  public synchronized Double getLagSeconds() {
    return newestEndMs == NEVER || partitions.isEmpty()
        ? null
        : (clock.millis() - newestEndMs) / 1e3;
  }

  @Override
  public synchronized Map<String, Long> getStoredLagSecondsBucket() {
    return storedLag.cumulative();
  }

  @Override
  public synchronized Map<String, Double> getStoredLagSecondsSum() {
    return storedLag.sum();
  }

  @Override
  public synchronized Map<String, Long> getStoredLagSecondsCount() {
    return storedLag.count();
  }

  @Override
  public double getWaitingSeconds() {
    boolean kafkaHasMore = waitingRecords.getAsDouble() > 0; // no lock: it asks another MBean
    synchronized (this) {
      // what Kafka has was written after what is done
      long sinceMs = puttingSinceMs == NEVER && kafkaHasMore ? doneUntilMs : puttingSinceMs;
      return sinceMs == NEVER ? 0 : Math.max(0, clock.millis() - sinceMs) / 1e3;
    }
  }

  @Override
  public synchronized Double getLastPutAgeSeconds() {
    return Double.isNaN(lastPutAtS) ? null : nowS() - lastPutAtS;
  }

  @Override
  public synchronized boolean isRetrying() {
    return !Double.isNaN(retryingSinceS);
  }

  @Override
  public synchronized double getRetryingSeconds() {
    return isRetrying() ? nowS() - retryingSinceS : 0;
  }

  @Override
  public synchronized String getRetryError() {
    return retryError;
  }

  /** Seconds since the start of the task. */
  private double nowS() {
    return (nanoTime.getAsLong() - startNanos) / NANOS;
  }

  private long second() {
    return 1 + (long) nowS();
  }
}
