package dev.rondo.history.job;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics and consumer groups of a job. */
final class JobTopics {
  private static final Duration LONGEST_START = Duration.ofMinutes(2);
  private static final Duration LONGEST_END = Duration.ofMinutes(1);
  private static final int POLL_MS = 200;

  private JobTopics() {}

  /** Waits until the workers have made them. */
  static void await(Admin admin, TopologyConfig config)
      throws ExecutionException, InterruptedException {
    List<String> awaited =
        List.of(config.topic(Topics.SERIES).name(), config.topic(Topics.BUNDLE_ROWS).name());
    long deadline = System.nanoTime() + LONGEST_START.toNanos();
    while (!admin.listTopics().names().get().containsAll(awaited)) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "the workers made no topics %s within %d s: see worker-1.log in %s"
                .formatted(
                    awaited, LONGEST_START.toSeconds(), config.getString("state.dir") + "/.."));
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** Deletes them. The workers have stopped. */
  static void delete(Admin admin, TopologyConfig config, Job job)
      throws ExecutionException, InterruptedException {
    String id = config.getString("application.id");
    Set<String> existing = admin.listTopics().names().get();
    List<String> topics =
        existing.stream()
            .filter(
                topic ->
                    topic.startsWith(id + ".")
                        || topic.startsWith(id + "-")
                        || job.ownTopics().contains(topic))
            .toList();
    for (KafkaFuture<Void> deleted : admin.deleteTopics(topics).topicNameValues().values()) {
      try {
        deleted.get();
      } catch (ExecutionException e) {
        if (!isAbsent(e)) { // an earlier run was killed while it deleted them
          throw e;
        }
      }
    }
    removeMembers(admin, id);
    deleteGroup(admin, id);
  }

  /** Workers that have ended are members until their session is over: this saves the wait. */
  private static void removeMembers(Admin admin, String group) throws InterruptedException {
    try {
      admin
          .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
          .all()
          .get();
    } catch (ExecutionException e) {
      // The client fails in several ways without a member or a group. Any other failure shows when
      // the group is deleted.
    }
  }

  /** A group has its members for a moment after they have ended. */
  private static void deleteGroup(Admin admin, String group)
      throws ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_END.toNanos();
    while (true) {
      try {
        admin.deleteConsumerGroups(List.of(group)).all().get();
        return;
      } catch (ExecutionException e) {
        if (isAbsent(e)) {
          return;
        }
        if (!(e.getCause() instanceof GroupNotEmptyException) || System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(POLL_MS);
      }
    }
  }

  private static boolean isAbsent(ExecutionException e) {
    return e.getCause() instanceof GroupIdNotFoundException
        || e.getCause() instanceof UnknownTopicOrPartitionException;
  }
}
