package dev.rondo.connect.postgres.offsets;

import dev.rondo.connect.postgres.metrics.SinkMetrics;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the partitions of a task are applied to the database, as far as the task knows. What it
 * does not know it reads, and has Kafka begin there, whatever the consumer group has committed:
 *
 * <pre>
 *            ┌───────── a partition is assigned, a put fails ─────────┐
 *            ▼                                                        │
 *         unknown ── put: read, begin there or seek and drop ──► known ── put: claim and write
 * </pre>
 *
 * From then on the records of a partition come in their order, and each transaction expects the
 * table where the last one has left it ({@link ClaimOffsets}). One thread.
 */
public final class AppliedOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(AppliedOffsets.class);

  private final TopicLogs topicLogs;
  private final SinkTaskContext context;
  private final SinkMetrics metrics;
  private final Set<TopicPartition> assigned = new HashSet<>();
  private final Map<TopicPartition, TopicLogs.Log> logs = new HashMap<>();
  private final Map<TopicPartition, StoredOffset> applied = new HashMap<>();
  private final Map<TopicPartition, Long> reportedLost = new HashMap<>();
  private boolean known;
  private boolean seeking;

  public AppliedOffsets(TopicLogs topicLogs, SinkTaskContext context, SinkMetrics metrics) {
    this.topicLogs = topicLogs;
    this.context = context;
    this.metrics = metrics;
  }

  public void gains(Collection<TopicPartition> partitions) {
    assigned.addAll(partitions);
    known = false;
  }

  public void loses(Collection<TopicPartition> partitions) {
    assigned.removeAll(partitions);
    applied.keySet().removeAll(partitions);
  }

  /** The database may be elsewhere. */
  public void forget() {
    known = false;
  }

  public boolean areKnown() {
    return known;
  }

  /** Whether Kafka has been asked for other records, and what Connect has delivered is void. */
  public boolean isSeeking() {
    return seeking;
  }

  /**
   * Whether {@code records} are the next ones. If not, Connect is asked for those, and these are
   * not to be written.
   */
  public boolean align(Connection connection, Collection<SinkRecord> records) throws SQLException {
    seeking = false; // Connect seeks before it polls
    Map<TopicPartition, Long> firsts = firsts(records);
    if (known) {
      if (hasGoneBack(firsts)) {
        read(connection);
      }
      beginAt(firsts);
      return true;
    }
    read(connection);
    Map<TopicPartition, Long> seeks = new HashMap<>();
    applied.forEach(
        (partition, offset) -> {
          if (offset.isKnown()) {
            seeks.put(partition, logs.get(partition).nearest(offset.next()));
          }
        });
    boolean areNext =
        firsts.keySet().stream()
            .allMatch(p -> !seeks.containsKey(p) || seeks.get(p).equals(firsts.get(p)));
    if (areNext) {
      seeks.keySet().removeAll(firsts.keySet());
    } else {
      firsts.forEach(seeks::putIfAbsent);
    }
    if (!seeks.isEmpty()) {
      context.offset(seeks);
      seeking = true;
    }
    beginAt(firsts);
    return areNext;
  }

  /**
   * What a transaction claims that applies {@code records}.
   *
   * @param rejected records of the put that are not reported yet: nothing from the first of them on
   *     counts as applied
   */
  public List<OffsetClaim> claims(Collection<SinkRecord> records, Collection<SinkRecord> rejected) {
    Map<TopicPartition, Long> nexts = new HashMap<>();
    for (SinkRecord record : records) {
      nexts.merge(Origin.partition(record), Origin.offset(record) + 1, Math::max);
    }
    Map<TopicPartition, Long> barriers = firsts(rejected);
    var claims = new ArrayList<OffsetClaim>();
    for (TopicPartition partition : firsts(records).keySet()) {
      long barrier = barriers.getOrDefault(partition, Long.MAX_VALUE);
      claims.add(claim(partition, Math.min(nexts.get(partition), barrier)));
    }
    return claims;
  }

  /**
   * What is claimed between two puts: that all is applied which Connect has delivered. So
   * partitions without a record have a row, too, and records count as applied that were rejected,
   * or left out before they came here.
   */
  public List<OffsetClaim> claims(Map<TopicPartition, OffsetAndMetadata> delivered) {
    var claims = new ArrayList<OffsetClaim>();
    delivered.forEach(
        (partition, offset) -> {
          if (applied.containsKey(partition)) {
            long next = Math.max(offset.offset(), applied.get(partition).next());
            claims.add(claim(partition, next));
          }
        });
    return claims;
  }

  public void committed(List<OffsetClaim> claims) {
    claims.forEach(claim -> applied.put(claim.partition(), new StoredOffset(claim.next(), true)));
  }

  private OffsetClaim claim(TopicPartition partition, long next) {
    StoredOffset at = applied.get(partition);
    return new OffsetClaim(
        partition,
        logs.get(partition).topicId(),
        at.entered(),
        at.isKnown() ? at.next() : next,
        next);
  }

  private void read(Connection connection) throws SQLException {
    logs.clear();
    applied.clear();
    if (!assigned.isEmpty()) {
      logs.putAll(topicLogs.read(assigned));
      applied.putAll(FindOffsets.execute(connection, logs));
      connection.commit();
      LOG.info("applied so far: {}", applied);
      applied.forEach(this::reportLost);
    }
    known = true;
  }

  private void reportLost(TopicPartition partition, StoredOffset stored) {
    long at = stored.next();
    long begin = logs.get(partition).begin();
    long reported = Math.max(at, reportedLost.getOrDefault(partition, 0L));
    // The end of a transaction takes an offset, too.
    if (stored.isKnown() && begin > reported + 1) {
      LOG.error(
          "{} is applied up to {}, but Kafka has deleted all before {}: up to {} records are lost to"
              + " this database; raise retention.ms of the topic above the age of a backup",
          partition,
          at,
          begin,
          begin - reported);
      metrics.lost(begin - reported);
      reportedLost.put(partition, begin);
    }
  }

  /** What the table does not know begins with the first record that comes. */
  private void beginAt(Map<TopicPartition, Long> firsts) {
    firsts.forEach(
        (partition, first) ->
            applied.computeIfPresent(
                partition, (p, at) -> at.isKnown() ? at : new StoredOffset(first, false)));
  }

  /** Whether Kafka has gone back by itself: another log is under the topic's name. */
  private boolean hasGoneBack(Map<TopicPartition, Long> firsts) {
    boolean back = false;
    for (Map.Entry<TopicPartition, Long> first : firsts.entrySet()) {
      long at = applied.get(first.getKey()).next();
      if (first.getValue() < at) {
        back = true;
        LOG.error(
            "{} goes on at {}, but is applied up to {}: the topic was made anew or has lost records;"
                + " all that comes is written",
            first.getKey(),
            first.getValue(),
            at);
      }
    }
    return back;
  }

  /** First offset of each partition of this task. */
  private Map<TopicPartition, Long> firsts(Collection<SinkRecord> records) {
    Map<TopicPartition, Long> firsts = new HashMap<>();
    for (SinkRecord record : records) {
      TopicPartition partition = Origin.partition(record);
      if (assigned.contains(partition)) {
        firsts.merge(partition, Origin.offset(record), Math::min);
      }
    }
    return firsts;
  }
}
