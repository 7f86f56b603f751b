package dev.rondo.tools.deadletters.read;

import java.util.Arrays;
import java.util.List;

/** Reason for which the sink rejected a record of the topology. */
enum SinkReason {
  /** PostgreSQL refused it; the detail names table and SQLSTATE. */
  REFUSED("sink-refused"),
  /** A converter or the sink could not read it. */
  UNREADABLE("sink-unreadable");

  /** Simple name of the exception for a refused record, in any package. */
  private static final String REFUSED_CLASS = "RefusedRecordException";

  private final String key;

  SinkReason(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  /** Classifies by the name of the exception's class from Connect's header; may be null. */
  static SinkReason of(String exception) {
    return exception != null && exception.endsWith(REFUSED_CLASS) ? REFUSED : UNREADABLE;
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(SinkReason::key).toList();
  }
}
