package dev.rondo.tools.why.facts;

import java.util.Locale;

/** Why the graph of a series looks as it does. */
public enum Cause {
  FINE,
  KAFKA_DOWN,
  NOT_FOUND,
  RENAMED,
  DELETED,
  RETIRED,
  /** Times in another unit than the source is read with. */
  WRONG_TIME_UNIT,
  FUTURE_TIME,
  PAST_TIME,
  /** The sender sends NaN or infinities. */
  NOT_A_NUMBER,
  /** Dropped for another reason, which the sentence names. */
  DROPPED,
  TWO_PARTITIONS,
  SILENT,
  /** The interval of the points is longer than the heartbeat, or in Whisper mode than the step. */
  GAPS,
  /** No archive of the policy has the step, or reaches back to the time, that was asked for. */
  NO_SUCH_ARCHIVE,
  TOPOLOGY_DOWN,
  /** The topology has set the source aside. */
  SOURCE_SET_ASIDE,
  TOPOLOGY_LATE,
  MERGE_WAITS,
  CONNECT_DOWN,
  SINK_MISSING,
  SINK_PAUSED,
  SINK_FAILED,
  SINK_REFUSES,
  SINK_LATE,
  /** The sink has not applied the location yet, at which the series is now. */
  LOCATION_NOT_APPLIED,
  POSTGRES_DOWN,
  API_DOWN,
  /** PostgreSQL has newer values than the query API shows. */
  NOT_SHOWN;

  /** Name in JSON, such as {@code wrong-time-unit}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
