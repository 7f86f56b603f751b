package dev.rondo.topology.source;

import java.util.regex.Pattern;

/**
 * One entry of the sources: which topics it is about, and how they are read.
 *
 * @param topic the name of the topic; null where there is a pattern
 * @param pattern of whole names; null where there is a topic
 * @param how they are read: a source whose topic is any of them
 * @param place where it stands, for error texts
 */
record SourceRule(String topic, Pattern pattern, Source how, String place) {
  static SourceRule ofTopic(Source how, String place) {
    return new SourceRule(how.topic(), null, how, place);
  }

  static SourceRule ofPattern(Pattern pattern, Source how, String place) {
    return new SourceRule(null, pattern, how, place);
  }

  boolean isPattern() {
    return pattern != null;
  }

  boolean covers(String name) {
    return isPattern() ? pattern.matcher(name).matches() : topic.equals(name);
  }

  /** The topics that it covers, as a part of a regular expression. */
  String regexp() {
    return "(?:" + (isPattern() ? pattern.pattern() : Pattern.quote(topic)) + ")";
  }

  /** The source of a topic that it covers. */
  Source source(String name) {
    return new Source(name, how.format(), how.settings(), how.isKeyed(), how.policy());
  }
}
