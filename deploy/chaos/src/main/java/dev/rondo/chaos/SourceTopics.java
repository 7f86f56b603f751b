package dev.rondo.chaos;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The topics that are sent to, and what a sources file says of them.
 *
 * @param bootstrap brokers
 */
record SourceTopics(String bootstrap) {
  static final String POINTS = "points";

  /** Its series get a policy of their own. */
  static final String EXPLODING = "exploding";

  /** What the names of all others begin with. */
  static final String MATCHED = "chaos.";

  /** By so many a topic grows. */
  static final int MORE_PARTITIONS = 4;

  /** As it is before there is any topic that a pattern could cover. */
  static final String NAMED =
      """
      sources:
        - topic: points
        - {topic: exploding, format: influx, policy: exploding}
      """;

  static final String WITH_PATTERN =
      NAMED
          + """
            - {pattern: 'chaos[.].*'}
          """;

  /** The usual policy, and one that an explosion fills: 50 series a partition. */
  static final String POLICIES =
      """
      policies:
        - name: exploding
          match: '^$'
          step: 10s
          heartbeat: 2m
          max.series: 800
          archives: ["10s:6h", "1m:7d"]
        - name: default
          match: '.*'
          step: 10s
          heartbeat: 2m
          archives: ["10s:6h", "1m:7d", "1h:1y"]
      """;

  /** Makes one that the pattern covers: a pattern has to cover some topic. */
  void seed() throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      admin
          .createTopics(List.of(new NewTopic(MATCHED + "seed", Optional.of(1), Optional.empty())))
          .all()
          .get();
    }
  }

  /** Adds partitions to a topic. */
  void grow(String topic, int by) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      int count =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(count + by))).all().get();
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }
}
