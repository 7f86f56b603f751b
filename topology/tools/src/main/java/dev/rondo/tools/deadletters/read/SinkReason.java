package dev.rondo.tools.deadletters;

import java.util.Arrays;
import java.util.List;

/** Why the sink has rejected a record that the topology wrote. */
enum SinkReason {
  /** PostgreSQL refuses it; the detail names table and SQLSTATE. */
  REFUSED("sink-refused"),
  /** A converter or the sink cannot read it. */
  UNREADABLE("sink-unreadable");

  /** Of the exception that says so, whatever its package. */
  private static final String REFUSED_CLASS = "RefusedRecordException";

  private final String key;

  SinkReason(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  /** {@code exception}: the name of its class, as Connect's header has it; may be null. */
  static SinkReason of(String exception) {
    return exception != null && exception.endsWith(REFUSED_CLASS) ? REFUSED : UNREADABLE;
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(SinkReason::key).toList();
  }
}
