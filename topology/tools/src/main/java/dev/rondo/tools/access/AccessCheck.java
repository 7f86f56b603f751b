package dev.rondo.tools.access;

import dev.rondo.topology.access.Right;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.source.SourceRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Asks a cluster which rights this client has; that needs no rights itself.
 *
 * @param missing rights that it lacks
 * @param unknown rights on topics that do not exist, or that it may not see
 */
public record AccessCheck(List<Right> missing, List<Right> unknown) {
  /** Ends the names that requests are tried with. */
  private static final String PROBE = "access-check";

  private enum Answer {
    GRANTED,
    MISSING,
    UNKNOWN
  }

  /** What the client may do with a topic; empty operations if unknown. */
  private record Seen(boolean isVisible, Optional<Set<AclOperation>> operations) {
    Answer answer(AclOperation operation) {
      if (operations.isPresent()) {
        return operations.get().contains(operation) ? Answer.GRANTED : Answer.MISSING;
      }
      // Read, Write, Delete and Alter would include Describe
      return isVisible || operation == AclOperation.DESCRIBE_CONFIGS
          ? Answer.UNKNOWN
          : Answer.MISSING;
    }
  }

  /** Asks for each of the rights. */
  public static AccessCheck of(Admin admin, TopologyConfig config, Collection<Right> rights)
      throws ExecutionException, InterruptedException {
    List<Right> missing = new ArrayList<>();
    List<Right> unknown = new ArrayList<>();
    Map<String, Seen> topics = topics(admin, config, rights);
    for (Right right : rights) {
      switch (answer(admin, config, right, topics)) {
        case MISSING -> missing.add(right);
        case UNKNOWN -> unknown.add(right);
        case GRANTED -> {}
      }
    }
    return new AccessCheck(missing, unknown);
  }

  /** The topics of rights, and the existing sources whose names begin alike. */
  private static Map<String, Seen> topics(
      Admin admin, TopologyConfig config, Collection<Right> rights)
      throws ExecutionException, InterruptedException {
    Set<String> names = new TreeSet<>();
    for (Right right : rights) {
      if (right.resource().resourceType() == ResourceType.TOPIC && right.isLiteral()) {
        names.add(right.resource().name());
      }
    }
    SourceRules rules = config.sourceRules();
    if (rules.hasPatterns()) {
      names.addAll(rules.covered(admin.listTopics().names().get()));
    }
    Map<String, Seen> seen = new HashMap<>();
    var described =
        admin.describeTopics(names, new DescribeTopicsOptions().includeAuthorizedOperations(true));
    for (var topic : described.topicNameValues().entrySet()) {
      seen.put(topic.getKey(), seen(topic.getValue()));
    }
    return seen;
  }

  private static Seen seen(KafkaFuture<TopicDescription> description)
      throws ExecutionException, InterruptedException {
    try {
      return new Seen(true, Optional.ofNullable(description.get().authorizedOperations()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return new Seen(true, Optional.empty());
      }
      if (e.getCause() instanceof TopicAuthorizationException) {
        return new Seen(false, Optional.empty());
      }
      throw e;
    }
  }

  private static Answer answer(
      Admin admin, TopologyConfig config, Right right, Map<String, Seen> topics)
      throws ExecutionException, InterruptedException {
    String name = right.resource().name();
    return switch (right.resource().resourceType()) {
      case GROUP ->
          right.operation() == AclOperation.DELETE
              ? mayDelete(admin, name + PROBE)
              : mayCommit(admin, name);
      case TRANSACTIONAL_ID -> mayWriteTransactions(admin, right);
      default ->
          right.operation() == AclOperation.CREATE
              ? mayCreate(admin, name)
              : right.isLiteral()
                  ? topics.get(name).answer(right.operation())
                  : mayUseAll(config, right, topics);
    };
  }

  /** A right on a pattern of sources counts for the sources that exist. */
  private static Answer mayUseAll(TopologyConfig config, Right right, Map<String, Seen> topics) {
    SourceRules rules = config.sourceRules();
    List<Answer> answers =
        topics.entrySet().stream()
            .filter(topic -> right.covers(ResourceType.TOPIC, topic.getKey()))
            .filter(topic -> rules.of(topic.getKey()).isPresent())
            .map(topic -> topic.getValue().answer(right.operation()))
            .toList();
    if (answers.contains(Answer.MISSING)) {
      return Answer.MISSING;
    }
    return answers.contains(Answer.GRANTED) ? Answer.GRANTED : Answer.UNKNOWN;
  }

  /** The broker checks the right and the settings, and creates nothing. */
  private static Answer mayCreate(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    var created =
        admin.createTopics(
            List.of(new NewTopic(topic, Optional.empty(), Optional.empty())),
            new CreateTopicsOptions().validateOnly(true));
    return answer(created.all(), AuthorizationException.class);
  }

  /**
   * Commits an offset of a partition that does not exist: the broker checks the right on the group
   * first, and then refuses the offset.
   */
  private static Answer mayCommit(Admin admin, String group)
      throws ExecutionException, InterruptedException {
    var nowhere = new TopicPartition(group + "-" + PROBE, Integer.MAX_VALUE);
    var committed =
        admin.alterConsumerGroupOffsets(group, Map.of(nowhere, new OffsetAndMetadata(0)));
    return answer(committed.all(), GroupAuthorizationException.class);
  }

  /** The broker checks the right before it finds that there is no such group. */
  private static Answer mayDelete(Admin admin, String group)
      throws ExecutionException, InterruptedException {
    return answer(
        admin.deleteConsumerGroups(List.of(group)).all(), GroupAuthorizationException.class);
  }

  private static Answer answer(
      KafkaFuture<Void> response, Class<? extends AuthorizationException> refusal)
      throws ExecutionException, InterruptedException {
    try {
      response.get();
      return Answer.GRANTED;
    } catch (ExecutionException e) {
      if (refusal.isInstance(e.getCause())) {
        return Answer.MISSING;
      }
      if (e.getCause() instanceof TimeoutException || !(e.getCause() instanceof ApiException)) {
        throw e;
      }
      return Answer.GRANTED; // refused for another reason, after the right was checked
    }
  }

  /** Asks for a transaction, which needs Describe, and Write includes that. */
  private static Answer mayWriteTransactions(Admin admin, Right right)
      throws ExecutionException, InterruptedException {
    String id = right.resource().name() + (right.isLiteral() ? "" : PROBE);
    var described = admin.describeTransactions(List.of(id)).description(id);
    return answer(
        described.thenApply(transaction -> null), TransactionalIdAuthorizationException.class);
  }
}
