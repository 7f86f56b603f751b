package dev.rondo.topology.topics;

import dev.rondo.connection.kafka.ReplicationCheck;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.SourceRules;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the replication of the topics that the topology depends on: those of Rondo, Connect and
 * Kafka itself, and the sources. Never changes a topic.
 */
public final class TopicReplication {
  private static final Logger LOG = LoggerFactory.getLogger(TopicReplication.class);

  private TopicReplication() {}

  public static ReplicationCheck check(Admin admin, TopologyConfig config)
      throws ExecutionException, InterruptedException {
    SourceRules rules = config.sourceRules();
    InternalTopics internal = config.internalTopics();
    return ReplicationCheck.of(
        admin, topic -> internal.contains(topic) || rules.of(topic).isPresent());
  }

  /** Logs a warning for each weakness, with the commands to fix it; never fails. */
  public static void warn(Admin admin, TopologyConfig config) throws InterruptedException {
    String bootstrap = config.kafka().bootstrap();
    try {
      check(admin, config)
          .weaknesses()
          .forEach(
              weakness ->
                  LOG.warn(
                      "{}. To fix it: {}",
                      weakness.text(),
                      String.join("; ", weakness.remedy(bootstrap))));
    } catch (ExecutionException e) {
      LOG.warn("The replication of topics could not be checked: {}", e.getCause().toString());
    }
  }
}
