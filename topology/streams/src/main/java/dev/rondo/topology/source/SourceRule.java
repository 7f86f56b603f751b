package dev.rondo.topology.source;

import java.util.regex.Pattern;

/**
 * An entry of the sources file: which topics it covers, and how to read them.
 *
 * @param topic name of the topic; null for a pattern
 * @param pattern pattern of whole names; null for a topic
 * @param how settings of the topics, as a source with any name
 * @param key path of the entry in the file, for error texts
 */
record SourceRule(String topic, Pattern pattern, Source how, String key) {
  static SourceRule ofTopic(Source how, String key) {
    return new SourceRule(how.topic(), null, how, key);
  }

  static SourceRule ofPattern(Pattern pattern, Source how, String key) {
    return new SourceRule(null, pattern, how, key);
  }

  boolean isPattern() {
    return pattern != null;
  }

  boolean covers(String name) {
    return isPattern() ? pattern.matcher(name).matches() : topic.equals(name);
  }

  /** Returns the covered topics as part of a regular expression. */
  String regexp() {
    return "(?:" + (isPattern() ? pattern.pattern() : Pattern.quote(topic)) + ")";
  }

  /** Returns the source for a covered topic. */
  Source source(String name) {
    return new Source(name, how.format(), how.settings(), how.isKeyed(), how.policy());
  }
}
