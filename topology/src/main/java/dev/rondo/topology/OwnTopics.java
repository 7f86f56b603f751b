package dev.rondo.topology;

import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics of the catalogue that are missing; those that exist stay as they are. */
final class OwnTopics {
  private static final Logger LOG = LoggerFactory.getLogger(OwnTopics.class);

  private OwnTopics() {}

  /**
   * Creates {@code rondo.*}, and the default source {@code points} where it is read.
   *
   * @param partitions of each
   * @throws IllegalStateException where a source of another name is missing
   */
  static void create(Admin admin, List<String> sources, int partitions)
      throws ExecutionException, InterruptedException {
    Set<String> existing = admin.listTopics().names().get();
    List<NewTopic> missing = new ArrayList<>();
    for (Topic<?, ?> topic : List.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.DEAD_LETTERS)) {
      addIfMissing(topic, partitions, existing, missing);
    }
    for (String source : sources) {
      if (source.equals(Topics.POINTS.name())) {
        addIfMissing(Topics.POINTS, partitions, existing, missing);
      } else if (!existing.contains(source)) {
        throw new IllegalStateException("topic '" + source + "' does not exist (sources)");
      }
    }
    createAll(admin, missing);
  }

  private static void addIfMissing(
      Topic<?, ?> topic, int partitions, Set<String> existing, List<NewTopic> missing) {
    if (!existing.contains(topic.name())) {
      Map<String, String> configs = new HashMap<>(topic.configs());
      missing.add(
          new NewTopic(topic.name(), Optional.of(partitions), Optional.empty()).configs(configs));
    }
  }

  private static void createAll(Admin admin, List<NewTopic> missing)
      throws ExecutionException, InterruptedException {
    for (var created : admin.createTopics(missing).values().entrySet()) {
      try {
        created.getValue().get();
        LOG.info("created topic {}", created.getKey());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) { // another instance was first
          throw e;
        }
      }
    }
  }

  /** The partitions of the source topics. */
  static Set<TopicPartition> partitions(Admin admin, List<String> sources)
      throws ExecutionException, InterruptedException {
    Set<TopicPartition> partitions = new HashSet<>();
    for (TopicDescription topic : admin.describeTopics(sources).allTopicNames().get().values()) {
      for (int p = 0; p < topic.partitions().size(); p++) {
        partitions.add(new TopicPartition(topic.name(), p));
      }
    }
    return partitions;
  }
}
