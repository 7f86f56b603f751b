package dev.rondo.topology.source;

import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Topics of this Rondo and of Kafka, which are never sources. */
public final class InternalTopics {
  /** Internal topics of a Rondo with the default names. */
  public static final InternalTopics DEFAULT =
      new InternalTopics(TopicNames.of(TopicNames.DEFAULT_PREFIX), TopicNames.DEFAULT_PREFIX);

  private final String regexp;
  private final Pattern pattern;

  /**
   * @param names names of the topics of this Rondo
   * @param applicationId application id of the topology
   */
  public InternalTopics(TopicNames names, String applicationId) {
    Stream<String> own = Topics.OWN.stream().map(names::of).map(Topic::name).map(Pattern::quote);
    this.regexp =
        Stream.concat(
                Stream.of(
                    "__.*",
                    Pattern.quote(names.prefix() + ".") + ".*",
                    Pattern.quote(names.connectGroup() + "-") + ".*",
                    Pattern.quote(applicationId + "-") + ".*-(?:repartition|changelog)"),
                own)
            .collect(Collectors.joining("|"));
    this.pattern = Pattern.compile(regexp);
  }

  public boolean contains(String topic) {
    return pattern.matcher(topic).matches();
  }

  /** A regular expression for the same topics, as part of one for whole names. */
  String regexp() {
    return regexp;
  }
}
