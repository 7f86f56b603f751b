package dev.rondo.connection.kafka;

import java.util.List;

/**
 * Topics whose replication does not survive the loss of a broker, although the cluster allows it.
 *
 * @param topics sorted; all with the same numbers
 * @param replicas of a partition, the fewest
 * @param minInSync {@code min.insync.replicas}
 * @param wanted replicas that the cluster could hold
 */
public record Weakness(Kind kind, List<String> topics, int replicas, int minInSync, int wanted) {
  private static final int NAMED = 3;

  public enum Kind {
    /** A lost broker loses records. */
    FEW_REPLICAS,
    /** While one broker is down, producers with acks=all are refused. */
    MIN_IN_SYNC_TOO_HIGH,
    /** An acknowledged record can be on a single broker. */
    MIN_IN_SYNC_TOO_LOW
  }

  /** Returns a sentence without a period: topics, value, consequence. */
  public String text() {
    String which =
        topics.size() <= NAMED
            ? String.join(", ", topics)
            : "%s and %d other topics"
                .formatted(String.join(", ", topics.subList(0, NAMED)), topics.size() - NAMED);
    return switch (kind) {
      case FEW_REPLICAS ->
          "%s: replication factor %d, although %d are possible; the loss of a broker loses records"
              .formatted(which, replicas, wanted);
      case MIN_IN_SYNC_TOO_HIGH ->
          "%s: min.insync.replicas=%d equals the replication factor; while one broker is down, nothing can be written"
              .formatted(which, minInSync);
      case MIN_IN_SYNC_TOO_LOW ->
          "%s: min.insync.replicas=%d with replication factor %d; an acknowledged record may be on one broker only"
              .formatted(which, minInSync, replicas);
    };
  }

  /** Returns the commands that fix it, one per line. */
  public List<String> remedy(String bootstrap) {
    if (kind == Kind.FEW_REPLICAS) {
      return List.of(
          "./rondo check replication --kafka %s --output replicas.json".formatted(bootstrap),
          "kafka-reassign-partitions.sh --bootstrap-server %s --reassignment-json-file replicas.json --execute"
              .formatted(bootstrap));
    }
    int better = kind == Kind.MIN_IN_SYNC_TOO_HIGH ? replicas - 1 : 2;
    return topics.stream()
        .map(
            topic ->
                "kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config min.insync.replicas=%d"
                    .formatted(bootstrap, topic, better))
        .toList();
  }
}
