package dev.rondo.topology.clients;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source partitions that no instance reads. The leader of the group assigns those that it sees
 * appear; what appeared while it was away, or before it was the leader, it takes for assigned (a
 * static member gets its former partitions back without a look at the topics). So while some are
 * unread and the group does not move, it is asked to assign anew.
 */
public final class UnassignedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(UnassignedPartitions.class);

  /** Longer than the group needs to begin by itself. */
  private static final long PERIOD_MS = 3_000;

  private final String group;
  private final AtomicBoolean mustAssign = new AtomicBoolean();
  private Set<TopicPartition> read = Set.of();
  private volatile Set<TopicPartition> unread = Set.of();
  private long lookedMs;

  public UnassignedPartitions(String group, MeterRegistry registry) {
    this.group = group;
    Gauge.builder("rondo.sources.unassigned.partitions", () -> unread.size())
        .description("Source partitions that no instance reads yet")
        .register(registry);
  }

  /** Looks which of {@code partitions} are read, once in a while until all of them are. */
  void look(Admin admin, Set<TopicPartition> partitions, long nowMs) throws InterruptedException {
    if (read.equals(partitions) || nowMs - lookedMs < PERIOD_MS) {
      return;
    }
    lookedMs = nowMs;
    try {
      see(
          admin.describeConsumerGroups(Set.of(group)).describedGroups().get(group).get(),
          partitions);
    } catch (ExecutionException e) {
      LOG.debug("the group cannot be had for now, or does not exist yet", e);
    }
  }

  private void see(ConsumerGroupDescription described, Set<TopicPartition> partitions) {
    if (described.groupState() != GroupState.STABLE) {
      return;
    }
    Set<TopicPartition> missing = new HashSet<>(partitions);
    described.members().forEach(m -> missing.removeAll(m.assignment().topicPartitions()));
    if (missing.isEmpty()) {
      read = partitions;
    } else if (missing.equals(unread)) { // at the look before, too
      LOG.info("source partitions that no instance reads: {}; they are assigned", missing);
      mustAssign.set(true);
    }
    unread = missing;
  }

  /** Whether the group is to be asked; true once. */
  boolean take() {
    return mustAssign.compareAndSet(true, false);
  }
}
