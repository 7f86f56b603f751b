package dev.rondo.topology.clients;

import dev.rondo.topology.access.RefusalLog;
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
 * Requests a rebalance while source partitions are unassigned in a stable group. The group leader
 * assigns only partitions that it sees appear: those that appeared while it was down, or before it
 * became leader, stay unassigned, as a static member gets its previous partitions back without a
 * metadata check.
 */
public final class UnassignedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(UnassignedPartitions.class);

  /** Longer than the group needs to rebalance by itself. */
  private static final long PERIOD_MS = 3_000;

  private final String group;
  private final RefusalLog refusals;
  private final AtomicBoolean mustRebalance = new AtomicBoolean();
  private Set<TopicPartition> listed = Set.of();
  private boolean areAssigned;
  private volatile Set<TopicPartition> unassigned = Set.of();
  private long checkedMs;

  public UnassignedPartitions(String group, RefusalLog refusals, MeterRegistry registry) {
    this.group = group;
    this.refusals = refusals;
    Gauge.builder("rondo.sources.unassigned.partitions", () -> unassigned.size())
        .description(
            "Source partitions that are assigned to no instance: normal for some seconds after they"
                + " are created")
        .register(registry);
  }

  /** Checks every few seconds which of {@code partitions} are assigned, until all are. */
  void check(Admin admin, Set<TopicPartition> partitions, long nowMs) throws InterruptedException {
    if (!partitions.equals(listed)) {
      listed = partitions;
      areAssigned = false;
    }
    if (areAssigned || nowMs - checkedMs < PERIOD_MS) {
      return;
    }
    checkedMs = nowMs;
    try {
      update(
          admin.describeConsumerGroups(Set.of(group)).describedGroups().get(group).get(),
          partitions);
      refusals.succeeded();
    } catch (ExecutionException e) {
      refusals.failed(e);
      LOG.debug("Failed to describe consumer group {}; it may not exist yet; retrying", group, e);
    }
  }

  private void update(ConsumerGroupDescription described, Set<TopicPartition> partitions) {
    if (described.groupState() != GroupState.STABLE) {
      return;
    }
    Set<TopicPartition> missing = new HashSet<>(partitions);
    described.members().forEach(m -> missing.removeAll(m.assignment().topicPartitions()));
    if (missing.isEmpty()) {
      areAssigned = true;
    } else if (missing.equals(unassigned)) { // also at the previous check
      LOG.info("No instance reads source partitions {}; requesting a rebalance", missing);
      mustRebalance.set(true);
    }
    unassigned = missing;
  }

  /** Whether a rebalance is requested; true once per request. */
  boolean takeRebalanceRequest() {
    return mustRebalance.compareAndSet(true, false);
  }
}
