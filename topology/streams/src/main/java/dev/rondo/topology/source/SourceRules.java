package dev.rondo.topology.source;

import dev.rondo.formats.schemaregistry.RegistrySchemas;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.settings.SettingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which topics are read, and how. The first rule that covers a topic applies. Patterns do
 * not cover internal topics of Kafka and Rondo.
 */
public final class SourceRules {
  /** Back references and named groups, which break when patterns are joined. */
  private static final Pattern BACK_REFERENCE = Pattern.compile("\\\\([1-9]|k<)|\\(\\?<[a-zA-Z]");

  private final List<SourceRule> inOrder;
  private final InternalTopics internal;
  private final Map<String, Optional<Source>> known = new ConcurrentHashMap<>();

  /** Throws {@link SettingException} for a rule that can never apply. */
  SourceRules(List<SourceRule> inOrder, InternalTopics internal) {
    this.inOrder = List.copyOf(inOrder);
    this.internal = internal;
    for (int n = 0; n < inOrder.size(); n++) {
      check(inOrder.get(n), inOrder.subList(0, n));
    }
    if (inOrder.isEmpty()) {
      throw new SettingException("no source is configured, so nothing would be read (sources)");
    }
  }

  /** Creates one rule for each source, for a Rondo with the default names. */
  public static SourceRules of(List<Source> sources) {
    return new SourceRules(
        sources.stream().map(source -> SourceRule.ofTopic(source, "sources")).toList(),
        InternalTopics.DEFAULT);
  }

  /**
   * Returns rules for these topics only.
   *
   * @throws SettingException if no rule covers a topic
   */
  public SourceRules only(Collection<String> topics) {
    var rules = new ArrayList<SourceRule>();
    for (String topic : topics) {
      Source source =
          of(topic)
              .orElseThrow(
                  () ->
                      new SettingException(
                          "topic '%s' is not one of the sources (sources.only)".formatted(topic)));
      rules.add(SourceRule.ofTopic(source, "sources.only"));
    }
    return new SourceRules(rules, internal);
  }

  private void check(SourceRule rule, List<SourceRule> before) {
    if (rule.isPattern()) {
      if (BACK_REFERENCE.matcher(rule.pattern().pattern()).find()) {
        throw new SettingException(
            "pattern '%s' has a named group or a back reference (%s)"
                .formatted(rule.pattern(), rule.key()));
      }
      return;
    }
    if (internal.contains(rule.topic())) {
      throw new SettingException(
          "topic '%s' belongs to Rondo or Kafka and cannot be a source (%s)"
              .formatted(rule.topic(), rule.key()));
    }
    for (SourceRule earlier : before) {
      if (earlier.covers(rule.topic())) {
        throw new SettingException(
            "topic '%s' is already covered by %s, and the first rule that covers a topic applies (%s)"
                .formatted(rule.topic(), earlier.key(), rule.key()));
      }
    }
  }

  /** Whether topics created later can become sources. */
  public boolean hasPatterns() {
    return inOrder.stream().anyMatch(SourceRule::isPattern);
  }

  /** Returns the source for a topic, existing or not; empty if no rule covers it. */
  public Optional<Source> of(String topic) {
    return known.computeIfAbsent(topic, met -> ruleOf(met).map(rule -> rule.source(met)));
  }

  /** Whether there are rules for keyed, or for other, sources. */
  public boolean haveKeyed(boolean keyed) {
    return inOrder.stream().anyMatch(rule -> rule.how().isKeyed() == keyed);
  }

  /** Whether the format of any keyed, or of any other, source needs definitions. */
  public boolean needDefinitions(boolean keyed) {
    return inOrder.stream()
        .map(SourceRule::how)
        .anyMatch(how -> how.isKeyed() == keyed && how.format().needsDefinitions());
  }

  /** Whether any source holds events. */
  public boolean haveEvents() {
    return inOrder.stream().anyMatch(rule -> !rule.how().format().holdsPoints());
  }

  /** The schema registries of all sources. */
  public Set<RegistrySchemas> registries() {
    return inOrder.stream()
        .flatMap(rule -> rule.how().settings().mapped().stream())
        .flatMap(mapped -> mapped.schemas().stream())
        .filter(RegistrySchemas.class::isInstance)
        .map(RegistrySchemas.class::cast)
        .collect(Collectors.toSet());
  }

  /** Returns the topics named by rules for keyed, or for other, sources. */
  public List<String> named(boolean keyed) {
    return inOrder.stream()
        .filter(rule -> !rule.isPattern() && rule.how().isKeyed() == keyed)
        .map(SourceRule::topic)
        .toList();
  }

  /** Returns all patterns of whole topic names. */
  public List<Pattern> patterns() {
    return inOrder.stream().filter(SourceRule::isPattern).map(SourceRule::pattern).toList();
  }

  /** Returns the topics of {@code existing} that are read. */
  public List<String> covered(Collection<String> existing) {
    return existing.stream().filter(topic -> of(topic).isPresent()).toList();
  }

  /**
   * Returns one pattern for the names of keyed, or of other, sources. It matches the topics for
   * which {@link #of} finds a source, so that Kafka Streams subscribes to topics created later.
   *
   * @throws SettingException if the patterns cannot be joined
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
   * Returns all sources: named topics, and topics of {@code existing} that a pattern covers.
   *
   * @throws SettingException if a pattern covers topics of another Rondo
   */
  public List<Source> among(Collection<String> existing) {
    return inOrder.stream()
        .flatMap(
            rule ->
                rule.isPattern()
                    ? covered(rule, existing).map(rule::source)
                    : Stream.of(rule.source(rule.topic())))
        .toList();
  }

  /** Returns the topics named by rules that do not exist. */
  public List<String> missing(Collection<String> existing) {
    return inOrder.stream()
        .filter(rule -> !rule.isPattern() && !existing.contains(rule.topic()))
        .map(SourceRule::topic)
        .toList();
  }

  /**
   * Returns the patterns that apply to no topic: none matches, or earlier rules cover all that
   * match.
   */
  public List<String> unmatched(Collection<String> existing) {
    return inOrder.stream()
        .filter(SourceRule::isPattern)
        .filter(
            rule ->
                existing.stream().noneMatch(name -> ruleOf(name).filter(rule::equals).isPresent()))
        .map(rule -> rule.pattern().pattern())
        .toList();
  }

  private Stream<String> covered(SourceRule rule, Collection<String> existing) {
    return existing.stream()
        .filter(topic -> ruleOf(topic).filter(rule::equals).isPresent())
        .sorted()
        .peek(topic -> checkOwner(rule, topic, existing));
  }

  /** Rejects topics of another Rondo: two that read each other's dead letters would never stop. */
  private static void checkOwner(SourceRule rule, String topic, Collection<String> existing) {
    String prefix = topic.substring(0, Math.max(0, topic.lastIndexOf('.')));
    if (Topics.OWN.stream()
        .allMatch(own -> existing.contains(prefix + "." + TopicNames.suffix(own)))) {
      throw new SettingException(
          "pattern '%s' matches '%s' of the Rondo with the prefix '%s': exclude its topics (%s)"
              .formatted(rule.pattern(), topic, prefix, rule.key()));
    }
  }
}
