package dev.rondo.topology.source;

import dev.rondo.topology.settings.SettingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which topics are read, and how: the first rule that covers a topic is its rule. A pattern covers
 * the topics that exist; Kafka's own and Rondo's own are covered by none.
 */
public final class SourceRules {
  private static final Logger LOG = LoggerFactory.getLogger(SourceRules.class);

  /** Groups are counted anew where patterns are joined. */
  private static final Pattern BACK_REFERENCE = Pattern.compile("\\\\([1-9]|k<)|\\(\\?<[a-zA-Z]");

  private final List<SourceRule> inOrder;
  private final InternalTopics internal;
  private final Map<String, Optional<Source>> known = new ConcurrentHashMap<>();

  /** A rule that could never apply is a {@link SettingException}. */
  SourceRules(List<SourceRule> inOrder, String applicationId) {
    this.inOrder = List.copyOf(inOrder);
    this.internal = new InternalTopics(applicationId);
    for (int n = 0; n < inOrder.size(); n++) {
      check(inOrder.get(n), inOrder.subList(0, n));
    }
    if (inOrder.isEmpty()) {
      throw new SettingException("there is no source, so nothing would be read (sources)");
    }
  }

  /** One rule for each of these sources, in the application {@code rondo}. */
  public static SourceRules of(List<Source> sources) {
    return new SourceRules(
        sources.stream().map(source -> SourceRule.ofTopic(source, "sources")).toList(), "rondo");
  }

  private void check(SourceRule rule, List<SourceRule> before) {
    if (rule.isPattern()) {
      if (BACK_REFERENCE.matcher(rule.pattern().pattern()).find()) {
        throw new SettingException(
            "pattern '%s' has a group with a name, or refers back to a group (%s)"
                .formatted(rule.pattern(), rule.place()));
      }
      return;
    }
    if (internal.contains(rule.topic())) {
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
    return hasPatterns(true) || hasPatterns(false);
  }

  /** The same of keyed sources, or of others. */
  public boolean hasPatterns(boolean keyed) {
    return inOrder.stream().anyMatch(rule -> rule.isPattern() && rule.how().isKeyed() == keyed);
  }

  /** The source that a topic of this name is or would be; empty where no rule covers it. */
  public Optional<Source> of(String topic) {
    return known.computeIfAbsent(topic, met -> ruleOf(met).map(rule -> rule.source(met)));
  }

  /** Whether there are keyed sources, or others. */
  public boolean haveKeyed(boolean keyed) {
    return inOrder.stream().anyMatch(rule -> rule.how().isKeyed() == keyed);
  }

  /** Whether the format of a source needs definitions, of a keyed one or of others. */
  public boolean needDefinitions(boolean keyed) {
    return inOrder.stream()
        .map(SourceRule::how)
        .anyMatch(how -> how.isKeyed() == keyed && how.format().needsDefinitions());
  }

  /** The topics that are named, of keyed sources or of others. */
  public List<String> named(boolean keyed) {
    return inOrder.stream()
        .filter(rule -> !rule.isPattern() && rule.how().isKeyed() == keyed)
        .map(SourceRule::topic)
        .toList();
  }

  /** Those of {@code existing} that are read. */
  public List<String> covered(Collection<String> existing) {
    return existing.stream().filter(topic -> of(topic).isPresent()).toList();
  }

  /**
   * The topics of keyed sources, or of others, as one pattern of whole names: it matches what
   * {@link #of} finds, so that Kafka Streams follows topics that are made later.
   *
   * @throws SettingException where a pattern cannot be part of another
   */
  public Pattern pattern(boolean keyed) {
    StringBuilder anyOf = new StringBuilder();
    StringBuilder earlier = new StringBuilder("(?!(?:" + internal.regexp() + ")$)");
    for (SourceRule rule : inOrder) {
      if (rule.how().isKeyed() == keyed) {
        anyOf.append(anyOf.isEmpty() ? "" : "|").append(earlier).append(rule.regexp());
      } else {
        earlier.append("(?!").append(rule.regexp()).append("$)");
      }
    }
    try {
      return Pattern.compile("(?:" + anyOf + ")");
    } catch (PatternSyntaxException e) {
      throw new SettingException(
          "the patterns of the sources cannot be joined: %s (sources)"
              .formatted(e.getDescription()));
    }
  }

  private Optional<SourceRule> ruleOf(String topic) {
    return internal.contains(topic)
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
