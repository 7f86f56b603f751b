package dev.rondo.topology.source;

import java.util.regex.Pattern;

/** Topics that no pattern of a user means: those of Rondo and of Kafka themselves. */
record InternalTopics(String applicationId) {
  boolean contains(String topic) {
    return topic.startsWith("__")
        || topic.startsWith("rondo.")
        || topic.startsWith("rondo-connect-") // of the worker that ./rondo up starts
        || isInternal(topic);
  }

  /** The same as a part of a regular expression of whole names. */
  String regexp() {
    return "__.*|rondo\\..*|rondo-connect-.*|"
        + Pattern.quote(applicationId + "-")
        + ".*-(?:repartition|changelog)";
  }

  /** What Kafka Streams makes for the application. */
  private boolean isInternal(String topic) {
    return topic.startsWith(applicationId + "-")
        && (topic.endsWith("-repartition") || topic.endsWith("-changelog"));
  }
}
