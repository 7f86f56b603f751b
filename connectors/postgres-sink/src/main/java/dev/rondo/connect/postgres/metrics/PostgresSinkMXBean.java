package dev.rondo.connect.postgres.metrics;

import java.util.Map;

/**
 * Metrics of one task, as JMX shows them: {@code
 * dev.rondo:type=postgres-sink,connector=<name>,task=<id>}. Counters begin at 0 when the task
 * starts. Null is unknown. In snake case behind {@code rondo_sink_} an attribute is a metric of
 * prometheus/jmx-exporter.yml.
 */
public interface PostgresSinkMXBean {
  long getRowsTotal();

  long getValuesTotal();

  long getSeriesTotal();

  long getTransactionsTotal();

  /** Rows a second over the last minute. */
  double getRowsPerSecond();

  /** Values a second over the last minute. */
  double getValuesPerSecond();

  /** Mean over the last 1000 puts; null before the first. */
  Double getRowsPerPut();

  /** Puts by the seconds that they took at most: upper bound, as text, to count, both growing. */
  Map<String, Long> getPutSecondsBucket();

  double getPutSecondsSum();

  /** Puts that have come to their end: every record is stored or rejected. */
  long getPutSecondsCount();

  /** Half of the last 1000 puts took no longer; null before the first. */
  Double getPutSecondsP50();

  /** 99 % of the last 1000 puts took no longer; null before the first. */
  Double getPutSecondsP99();

  /** The longest of the last 1000 puts; null before the first. */
  Double getPutSecondsMax();

  /** Transactions that are tried again, by SQLSTATE. */
  Map<String, Long> getRetriesTotal();

  /** Records that cannot be stored, by SQLSTATE or {@code unreadable}. */
  Map<String, Long> getRejectedRecordsTotal();

  /** Offsets that Kafka had deleted before their records were applied to this database. */
  long getLostRecordsTotal();

  /** Whether a connection is open, as far as the task knows without asking. */
  boolean isConnected();

  long getConnectsTotal();

  /**
   * Age of the newest slot written, by this machine's clock; it grows while nothing is written.
   * Null before the first row, and while the task has no partition.
   */
  Double getLagSeconds();

  /** Null before the first put has come to its end. */
  Double getLastPutAgeSeconds();

  /** Whether the last attempt failed and is tried again. */
  boolean isRetrying();

  /** Since the first of the failures in a row; 0 while there is none. */
  double getRetryingSeconds();
}
