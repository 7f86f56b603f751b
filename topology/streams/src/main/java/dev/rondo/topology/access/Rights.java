package dev.rondo.topology.access;

import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.RequiredTopic;
import dev.rondo.topology.topics.RondoTopics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Exactly the rights that the parts of a Rondo need. Read, Write, Delete and Alter include
 * Describe, and Write on any topic includes IdempotentWrite on the cluster, so neither is listed.
 */
public final class Rights {
  private final TopologyConfig config;
  private final SourceRules rules;
  private final boolean createsTopics;
  private final String group;

  /** Rights by resource and operation, each with its first reason. */
  private final Map<List<Object>, Right> rights = new LinkedHashMap<>();

  private Rights(TopologyConfig config) {
    this.config = config;
    this.rules = config.sourceRules();
    this.createsTopics = config.getBoolean("topics.create");
    this.group = config.getString("application.id");
  }

  /** Returns the rights of a part, without duplicates. */
  public static List<Right> of(TopologyConfig config, Part part) {
    Rights all = new Rights(config);
    switch (part) {
      case TOPOLOGY -> all.topology();
      case CONNECT -> all.connect();
      case API -> all.api();
      case TOOLS -> all.tools();
      case SENDERS -> all.sources("sends points", WRITE);
    }
    return List.copyOf(all.rights.values());
  }

  private void topology() {
    sources("reads points", READ);
    createSources();
    own(Topics.SERIES, "writes series, and reads them at a start", READ, WRITE);
    own(Topics.BUNDLE_ROWS, "writes rows", WRITE);
    if (rules.haveEvents()) {
      own(Topics.EVENTS, "writes events", WRITE);
    }
    own(Topics.DEAD_LETTERS, "writes what cannot be stored", WRITE);
    own(Topics.REPLAYS, "reads the last replay", READ);
    own(Topics.PARTITIONS, "compares partition counts with recorded ones", READ, WRITE);
    own(Topics.POLICIES, "reads the policies, and writes the first version", READ, WRITE);
    own(Topics.SERIES_REQUESTS, "reads requests to delete series", READ);
    String bySeries = RondoTopics.bySeries(group);
    literal(bySeries, "repartitions points, and deletes those that are processed", READ, WRITE);
    literal(bySeries, "deletes processed points", DELETE);
    for (RequiredTopic internal : RequiredTopic.internal(config, rules, 1)) {
      literal(internal.name(), "keeps its state", READ, WRITE);
    }
    if (rules.needDefinitions(false)) {
      literal(
          group + "-" + Decode.DEFINITIONS_STORE + "-changelog",
          "adds partitions when a source has grown",
          ALTER);
    }
    createOrCheckTopics();
    add(ResourceType.GROUP, group, PatternType.LITERAL, "commits offsets", READ);
    if (config.getString("processing.guarantee").equals(StreamsConfig.EXACTLY_ONCE_V2)) {
      add(
          ResourceType.TRANSACTIONAL_ID,
          group + "-",
          PatternType.PREFIXED,
          "writes in transactions",
          WRITE);
    } else {
      policyTransactions("writes the first version of the policies");
    }
  }

  private void policyTransactions(String why) {
    add(
        ResourceType.TRANSACTIONAL_ID,
        config.policiesTransactionalId(),
        PatternType.LITERAL,
        why,
        WRITE);
  }

  private void createSources() {
    for (boolean keyed : List.of(true, false)) {
      for (String topic : rules.named(keyed)) {
        boolean isDefault = topic.equals(Topics.POINTS.name());
        if (createsTopics && (isDefault || config.getBoolean("sources.create"))) {
          literal(topic, "creates missing sources", CREATE);
        }
      }
    }
  }

  private void createOrCheckTopics() {
    List<RequiredTopic> topics = new ArrayList<>(RequiredTopic.own(config));
    topics.addAll(RequiredTopic.internal(config, rules, 1));
    for (RequiredTopic topic : topics) {
      if (createsTopics) {
        literal(topic.name(), "creates missing topics", CREATE);
      } else {
        literal(topic.name(), "checks the settings of topics", DESCRIBE_CONFIGS);
      }
    }
    if (createsTopics) {
      own(Topics.DEAD_LETTERS, "checks the largest record", DESCRIBE_CONFIGS);
    }
  }

  private void connect() {
    String worker = config.names().connectGroup();
    for (String state : List.of("config", "offset", "status")) {
      String topic = worker + "-" + state;
      literal(topic, "keeps the worker's state", READ);
      if (!state.equals("offset")) { // only source connectors write it
        literal(topic, "keeps the worker's state", WRITE);
      }
      if (createsTopics) {
        literal(topic, "creates missing topics", CREATE);
      }
    }
    add(ResourceType.GROUP, worker, PatternType.LITERAL, "joins the workers", READ);
    own(Topics.SERIES, "reads series", READ);
    own(Topics.BUNDLE_ROWS, "reads rows", READ);
    own(Topics.EVENTS, "reads events", READ);
    for (Topic<?, ?> topic : List.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.EVENTS)) {
      own(topic, "finds out what Kafka has deleted", DESCRIBE_CONFIGS);
    }
    own(Topics.DEAD_LETTERS, "writes what cannot be stored", WRITE);
    add(
        ResourceType.GROUP,
        "connect-" + config.names().connector(),
        PatternType.LITERAL,
        "commits offsets of the sink",
        READ);
  }

  private void api() {
    own(Topics.SERIES_REQUESTS, "requests deletions", WRITE);
    own(Topics.DEAD_LETTERS, "shows dead letters; marks those that it resends", READ, WRITE);
    sources("resends dead letters", WRITE);
  }

  private void tools() {
    sources("check source, replay, dead-letters, series top, why", READ);
    sources("dead-letters resend", WRITE);
    own(
        Topics.SERIES,
        "series, policies, dead-letters; writes with dead-letters resend",
        READ,
        WRITE);
    own(Topics.BUNDLE_ROWS, "why; writes with dead-letters resend", READ, WRITE);
    if (rules.haveEvents()) {
      own(Topics.EVENTS, "dead-letters resend", WRITE);
    }
    own(Topics.DEAD_LETTERS, "dead-letters; writes with resend", READ, WRITE);
    own(Topics.REPLAYS, "replay", READ, WRITE);
    own(Topics.POLICIES, "policies; writes with apply", READ, WRITE);
    policyTransactions("policies apply");
    own(Topics.SERIES_REQUESTS, "replay; writes with series delete", READ, WRITE);
    literal(RondoTopics.bySeries(group), "replay", READ);
    add(ResourceType.GROUP, group, PatternType.LITERAL, "replay sets offsets", READ);
    jobs();
  }

  /** Adds rights for live replays and backfills, which create and delete their own topics. */
  private void jobs() {
    String why = "replay --live, backfill";
    String jobs = config.names().prefix() + ".replay-";
    add(
        ResourceType.TOPIC,
        jobs,
        PatternType.PREFIXED,
        why,
        READ,
        WRITE,
        CREATE,
        DELETE,
        ALTER,
        DESCRIBE_CONFIGS);
    add(ResourceType.GROUP, jobs, PatternType.PREFIXED, why, READ, DELETE);
    add(ResourceType.TRANSACTIONAL_ID, jobs, PatternType.PREFIXED, why, WRITE);
    String files = config.names().prefix() + ".backfill-";
    add(
        ResourceType.TOPIC,
        files,
        PatternType.PREFIXED,
        "backfill --file",
        READ,
        WRITE,
        CREATE,
        DELETE);
  }

  private void sources(String why, AclOperation operation) {
    Stream.of(true, false)
        .flatMap(keyed -> rules.named(keyed).stream())
        .forEach(topic -> literal(topic, why, operation));
    for (Pattern pattern : rules.patterns()) {
      String prefix = LiteralPrefix.of(pattern.pattern());
      if (prefix.isEmpty()) {
        literal(ResourcePattern.WILDCARD_RESOURCE, why, operation);
      } else {
        add(ResourceType.TOPIC, prefix, PatternType.PREFIXED, why, operation);
      }
    }
  }

  private void own(Topic<?, ?> topic, String why, AclOperation... operations) {
    literal(config.topic(topic).name(), why, operations);
  }

  private void literal(String topic, String why, AclOperation... operations) {
    add(ResourceType.TOPIC, topic, PatternType.LITERAL, why, operations);
  }

  private void add(
      ResourceType type,
      String name,
      PatternType patternType,
      String why,
      AclOperation... operations) {
    ResourcePattern resource = new ResourcePattern(type, name, patternType);
    for (AclOperation operation : operations) {
      rights.putIfAbsent(List.of(resource, operation), new Right(resource, operation, why));
    }
  }
}
