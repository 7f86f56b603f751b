package dev.rondo.connection.kafka;

import java.util.List;

/**
 * Topics whose replication does not survive the loss of a broker as it could.
 *
 * @param topics sorted; all with the same numbers
 * @param replicas of a partition, the fewest
 * @param minInSync {@code min.insync.replicas}
 * @param wanted replicas that the cluster could hold
 */
public record Weakness(Kind kind, List<String> topics, int replicas, int minInSync, int wanted) {
  private static final int NAMED = 3;

  /** What is weak. */
  public enum Kind {
    /** A lost broker loses records. */
    FEW_REPLICAS,
    /** While one broker is away, producers with acks=all are refused. */
    NONE_MAY_BE_AWAY,
    /** An acknowledged record may be on one broker only. */
    ONE_REPLICA_ACKNOWLEDGES
  }

  /** A sentence without a period: which topics, which value, and what it means. */
  public String text() {
    String which =
        topics.size() <= NAMED
            ? String.join(", ", topics)
            : "%s and %d other topics"
                .formatted(String.join(", ", topics.subList(0, NAMED)), topics.size() - NAMED);
    return switch (kind) {
      case FEW_REPLICAS ->
          "%s: replication factor %d, although %d are possible; a broker that is lost takes records with it"
              .formatted(which, replicas, wanted);
      case NONE_MAY_BE_AWAY ->
          "%s: min.insync.replicas=%d equals the replication factor; while one broker is away nothing can be written"
              .formatted(which, minInSync);
      case ONE_REPLICA_ACKNOWLEDGES ->
          "%s: min.insync.replicas=%d with replication factor %d; an acknowledged record may be on one broker only"
              .formatted(which, minInSync, replicas);
    };
  }

  /** Commands that mend it, one a line. {@code FILE} is where {@code ./rondo check} writes to. */
  public List<String> remedy(String bootstrap) {
    if (kind == Kind.FEW_REPLICAS) {
      return List.of(
          "./rondo check replication --kafka %s --output replicas.json".formatted(bootstrap),
          "kafka-reassign-partitions.sh --bootstrap-server %s --reassignment-json-file replicas.json --execute"
              .formatted(bootstrap));
    }
    int better = kind == Kind.NONE_MAY_BE_AWAY ? replicas - 1 : 2;
    return topics.stream()
        .map(
            topic ->
                "kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config min.insync.replicas=%d"
                    .formatted(bootstrap, topic, better))
        .toList();
  }
}
