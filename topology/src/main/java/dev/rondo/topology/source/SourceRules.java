package dev.rondo.topology.source;

import dev.rondo.topology.settings.SettingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which topics are read, and how: the first rule that covers a topic is its rule. A pattern covers
 * the topics that exist; Kafka's own and Rondo's own are covered by none.
 */
public final class SourceRules {
  private static final Logger LOG = LoggerFactory.getLogger(SourceRules.class);

  private final List<SourceRule> inOrder;
  private final OwnNames own;

  /** A rule that could never apply is a {@link SettingException}. */
  SourceRules(List<SourceRule> inOrder, String applicationId) {
    this.inOrder = List.copyOf(inOrder);
    this.own = new OwnNames(applicationId);
    for (int n = 0; n < inOrder.size(); n++) {
      check(inOrder.get(n), inOrder.subList(0, n));
    }
    if (inOrder.isEmpty()) {
      throw new SettingException("there is no source, so nothing would be read (sources)");
    }
  }

  private void check(SourceRule rule, List<SourceRule> before) {
    if (rule.isPattern()) {
      return;
    }
    if (own.contains(rule.topic())) {
      throw new SettingException(
          "topic '%s' is one that Rondo writes (%s)".formatted(rule.topic(), rule.place()));
    }
    for (SourceRule earlier : before) {
      if (earlier.covers(rule.topic())) {
        throw new SettingException(
            "topic '%s' is covered by %s already, and the first that covers it is used (%s)"
                .formatted(rule.topic(), earlier.place(), rule.place()));
      }
    }
  }

  /** Whether topics that do not exist yet may become sources. */
  public boolean hasPatterns() {
    return inOrder.stream().anyMatch(SourceRule::isPattern);
  }

  /** The source that a topic of this name is or would be; empty where no rule covers it. */
  public Optional<Source> of(String topic) {
    return ruleOf(topic).map(rule -> rule.source(topic));
  }

  private Optional<SourceRule> ruleOf(String topic) {
    return own.contains(topic)
        ? Optional.empty()
        : inOrder.stream().filter(rule -> rule.covers(topic)).findFirst();
  }

  /**
   * The sources: all topics that are named, and those of {@code existing} that a pattern covers.
   *
   * @throws IllegalStateException where a pattern covers none
   */
  public List<Source> among(Collection<String> existing) {
    List<Source> sources = new ArrayList<>();
    for (SourceRule rule : inOrder) {
      if (rule.isPattern()) {
        sources.addAll(matched(rule, existing));
      } else {
        sources.add(rule.source(rule.topic()));
      }
    }
    return List.copyOf(sources);
  }

  private List<Source> matched(SourceRule rule, Collection<String> existing) {
    List<String> topics =
        existing.stream()
            .filter(topic -> ruleOf(topic).filter(rule::equals).isPresent())
            .sorted()
            .toList();
    if (topics.isEmpty()) {
      throw new IllegalStateException(
          "pattern '%s' matches none of the %d topics that there are, or only such as are read by an"
                  .formatted(rule.pattern(), existing.size())
              + " earlier source or are Rondo's own (%s)".formatted(rule.place()));
    }
    LOG.info(
        "pattern '{}' matches {} topics: {}",
        rule.pattern(),
        topics.size(),
        String.join(", ", topics));
    return topics.stream().map(rule::source).toList();
  }
}
