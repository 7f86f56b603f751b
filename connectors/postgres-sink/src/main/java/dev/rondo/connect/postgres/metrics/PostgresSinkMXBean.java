package dev.rondo.connect.postgres.metrics;

import java.util.Map;

/**
 * Attributes of the MBean {@code dev.rondo:type=postgres-sink,connector=<name>,task=<id>}. Counters
 * start at 0 with the task. Null means unknown. prometheus/jmx-exporter.yml exports an attribute as
 * {@code rondo_sink_} and its name in snake case.
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

  /** Cumulative histogram of put durations: upper bound in seconds, as text, to number of puts. */
  Map<String, Long> getPutSecondsBucket();

  double getPutSecondsSum();

  /** Puts that are done: each record is stored or rejected. */
  long getPutSecondsCount();

  /** Median of the last 1000 puts; null before the first. */
  Double getPutSecondsP50();

  /** 99th percentile of the last 1000 puts; null before the first. */
  Double getPutSecondsP99();

  /** The longest of the last 1000 puts; null before the first. */
  Double getPutSecondsMax();

  /** Failed transactions that are retried, by SQLSTATE. */
  Map<String, Long> getRetriesTotal();

  /** Records that cannot be stored, by SQLSTATE or {@code unreadable}. */
  Map<String, Long> getRejectedRecordsTotal();

  /**
   * Upper bound of the records that Kafka deleted or compacted away before they were applied to
   * this database.
   */
  long getLostRecordsTotal();

  /** Whether a connection is open; the server is not asked. */
  boolean isConnected();

  long getConnectsTotal();

  /**
   * Age of the newest closed slot that was written, by this machine's clock; it grows while nothing
   * is written. Null before the first row, and while the task has no partition.
   */
  Double getLagSeconds();

  /**
   * Cumulative histogram of the time from the arrival of points in Kafka until their values are in
   * PostgreSQL: source topic, a space and the upper bound in seconds, to number of values. Rows
   * that only time has made do not count.
   */
  Map<String, Long> getStoredLagSecondsBucket();

  /** Sum of these times, by source topic. */
  Map<String, Double> getStoredLagSecondsSum();

  /** Number of these values, by source topic. */
  Map<String, Long> getStoredLagSecondsCount();

  /**
   * Age of the oldest record that is in Kafka and not in PostgreSQL yet; 0 if there is none, or the
   * task has no partition.
   */
  double getWaitingSeconds();

  /** Seconds since a put was done; null before the first. */
  Double getLastPutAgeSeconds();

  /** Whether the last attempt failed and is retried. */
  boolean isRetrying();

  /** Seconds since the first of these failures in a row; 0 while there is none. */
  double getRetryingSeconds();

  /**
   * Why the last attempt failed, in at most 300 characters; null while it is not retried. Of
   * failures in a row with the same SQLSTATE it is the first one, so that a text with changing
   * details remains one series of Prometheus.
   */
  String getRetryError();
}
