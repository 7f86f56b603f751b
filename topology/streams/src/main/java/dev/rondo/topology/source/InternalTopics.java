package dev.rondo.topology.source;

import java.util.regex.Pattern;

/** Topics of Rondo and Kafka, which are never sources. */
public record InternalTopics(String applicationId) {
  public boolean contains(String topic) {
    return topic.startsWith("__")
        || topic.startsWith("rondo.")
        || topic.startsWith("rondo-connect-") // of the worker that ./rondo up starts
        || isInternal(topic);
  }

  /** A regular expression for the same topics, as part of one for whole names. */
  String regexp() {
    return "__.*|rondo\\..*|rondo-connect-.*|"
        + Pattern.quote(applicationId + "-")
        + ".*-(?:repartition|changelog)";
  }

  /** Topics that Kafka Streams creates for the application. */
  private boolean isInternal(String topic) {
    return topic.startsWith(applicationId + "-")
        && (topic.endsWith("-repartition") || topic.endsWith("-changelog"));
  }
}
