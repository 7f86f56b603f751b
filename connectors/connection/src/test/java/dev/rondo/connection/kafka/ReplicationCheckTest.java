package dev.rondo.connection.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connection.kafka.ReplicationCheck.Topic;
import dev.rondo.connection.kafka.Weakness.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ReplicationCheckTest {
  private static final List<Integer> BROKERS = List.of(1, 2, 3);

  private static Topic topic(String name, Integer minInSync, Integer... replicas) {
    List<Integer> ids = Arrays.asList(replicas);
    return new Topic(name, List.of(ids, ids), Optional.ofNullable(minInSync));
  }

  private static ReplicationCheck check(Topic... topics) {
    return ReplicationCheck.of(BROKERS, 3, List.of(topics));
  }

  @Test
  void shouldFindNothingIfABrokerCanFail() {
    ReplicationCheck check = check(topic("a", 2, 1, 2, 3), topic("unseen", null, 1, 2, 3));
    assertThat(check.weaknesses()).isEmpty();
    assertThat(check.more()).isEmpty();
  }

  @Test
  void shouldNameTopicsWithFewReplicasTogether() {
    ReplicationCheck check =
        check(topic("b", 1, 2), topic("a", 1, 3), topic("c", 1, 1, 2), topic("d", 2, 1, 2, 3));
    assertThat(check.weaknesses())
        .containsExactly(
            new Weakness(Kind.FEW_REPLICAS, List.of("a", "b"), 1, 1, 3),
            new Weakness(Kind.FEW_REPLICAS, List.of("c"), 2, 1, 3));
    assertThat(check.more())
        .isEqualTo(
            Map.of(
                new TopicPartition("a", 0), List.of(3, 1, 2),
                new TopicPartition("a", 1), List.of(3, 2, 1),
                new TopicPartition("b", 0), List.of(2, 1, 3),
                new TopicPartition("b", 1), List.of(2, 3, 1),
                new TopicPartition("c", 0), List.of(1, 2, 3),
                new TopicPartition("c", 1), List.of(1, 2, 3)));
  }

  @Test
  void shouldFindTopicsThatNeedEveryBroker() {
    Weakness weakness = check(topic("a", 3, 1, 2, 3)).weaknesses().get(0);
    assertThat(weakness).isEqualTo(new Weakness(Kind.MIN_IN_SYNC_TOO_HIGH, List.of("a"), 3, 3, 3));
    assertThat(weakness.remedy("b:1"))
        .containsExactly(
            "kafka-configs.sh --bootstrap-server b:1 --alter --topic a --add-config min.insync.replicas=2");
  }

  @Test
  void shouldFindTopicsAcknowledgedByOneReplica() {
    assertThat(check(topic("a", 1, 1, 2, 3)).weaknesses())
        .containsExactly(new Weakness(Kind.MIN_IN_SYNC_TOO_LOW, List.of("a"), 3, 1, 3));
  }

  @Test
  void shouldNotNameAllOfManyTopics() {
    var weakness = new Weakness(Kind.FEW_REPLICAS, List.of("a", "b", "c", "d", "e"), 1, 1, 3);
    assertThat(weakness.text())
        .isEqualTo(
            "a, b, c and 2 other topics: replication factor 1, although 3 are possible; the"
                + " loss of a broker loses records");
  }
}
