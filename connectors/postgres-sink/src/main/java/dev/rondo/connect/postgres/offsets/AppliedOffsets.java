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
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks how far each partition of a task is applied to the database. Unknown offsets are read from
 * the database, and Kafka is asked to deliver from there, whatever the consumer group has
 * committed:
 *
 * <pre>
 *            ┌───────── a partition is assigned, a put fails ─────────┐
 *            ▼                                                        │
 *         unknown ── put: read, begin there or seek and drop ──► known ── put: claim and write
 * </pre>
 *
 * From then on the records of a partition arrive in order, and each transaction expects the table
 * where the previous one left it ({@link ClaimOffsets}). Not thread-safe.
 */
public final class AppliedOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(AppliedOffsets.class);

  /** Bound of the offsets behind a put's last record that the consumer has passed: markers. */
  private static final long PASSED_UNSEEN = 1000;

  private final TopicLogs topicLogs;
  private final SinkTaskContext context;
  private final SinkMetrics metrics;
  private final ToDoubleFunction<TopicPartition> lead;
  private final Set<TopicPartition> assigned = new HashSet<>();
  private final Map<TopicPartition, TopicLogs.Log> logs = new HashMap<>();
  private final Map<TopicPartition, StoredOffset> applied = new HashMap<>();
  private final Map<LogKey, Long> reportedLost = new HashMap<>();

  /** Logs of which this task has seen a row in the table, or has written one. */
  private final Set<LogKey> stored = new HashSet<>();

  private boolean known;
  private boolean seeking;

  /**
   * Knows nothing yet.
   *
   * @param lead offsets from the begin of a partition's log to where the consumer is; NaN: unknown
   */
  public AppliedOffsets(
      TopicLogs topicLogs,
      SinkTaskContext context,
      SinkMetrics metrics,
      ToDoubleFunction<TopicPartition> lead) {
    this.topicLogs = topicLogs;
    this.context = context;
    this.metrics = metrics;
    this.lead = lead;
  }

  public void assign(Collection<TopicPartition> partitions) {
    assigned.addAll(partitions);
    known = false;
  }

  public void revoke(Collection<TopicPartition> partitions) {
    assigned.removeAll(partitions);
    applied.keySet().removeAll(partitions);
    logs.keySet().removeAll(partitions);
  }

  /** Discards what is known, since the next connection may lead to another database. */
  public void invalidate() {
    known = false;
  }

  /**
   * Checks whether the topics are still those whose offsets are known; if not, the next put reads
   * the offsets again. A consumer does not report it: it continues at its position in the new log.
   * If Kafka does not answer, the next check finds it.
   *
   * @return whether all partitions exist, as far as is known
   */
  public boolean checkTopics() {
    try {
      Map<TopicPartition, UUID> ids = topicLogs.ids(assigned);
      var former = new HashMap<TopicPartition, UUID>();
      logs.forEach((partition, log) -> former.put(partition, log.topicId()));
      known &= ids.equals(former);
      return ids.keySet().containsAll(assigned);
    } catch (NoKafkaException e) {
      LOG.info("Cannot look for recreated topics: {}", e.getMessage());
      return true;
    }
  }

  public boolean areKnown() {
    return known;
  }

  /** Connect delivers again, even if nothing: before it polls, it seeks what it was asked for. */
  public void sought() {
    seeking = false;
  }

  /** Whether Kafka was asked to deliver from other offsets, so that the last delivery is void. */
  public boolean isSeeking() {
    return seeking;
  }

  /**
   * Returns whether {@code records} are the next ones. If not, asks Connect for the next ones; the
   * caller must not write these.
   */
  public boolean align(Connection connection, Collection<SinkRecord> records) throws SQLException {
    Map<TopicPartition, Long> firsts = firsts(records);
    if (known && isForward(firsts)) {
      reportSkipped(firsts, records);
      beginAt(firsts);
      return true;
    }
    Map<TopicPartition, TopicLogs.Log> before = known ? Map.copyOf(logs) : Map.of();
    read(connection);
    firsts.keySet().retainAll(applied.keySet()); // the others have no log any more
    moveBack(connection, firsts, before);
    Map<TopicPartition, Long> seeks = new HashMap<>();
    applied.forEach(
        (partition, offset) -> {
          if (offset.isKnown()) {
            seeks.put(partition, logs.get(partition).nearest(offset.next()));
          }
        });
    // Records that were delivered before the topic was recreated may have the same offsets.
    boolean areNext =
        firsts.keySet().stream()
            .allMatch(
                p ->
                    !seeks.containsKey(p)
                        || (seeks.get(p).equals(firsts.get(p)) && !applied.get(p).recreated()));
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
   * Returns the claims of a transaction that applies {@code records}.
   *
   * @param rejected records of the put that are not reported yet; nothing counts as applied from
   *     the first of them on
   */
  public List<OffsetClaim> claims(Collection<SinkRecord> records, Collection<SinkRecord> rejected) {
    Map<TopicPartition, Long> barriers = firsts(rejected);
    var claims = new ArrayList<OffsetClaim>();
    ends(records)
        .forEach(
            (partition, end) -> {
              long barrier = barriers.getOrDefault(partition, Long.MAX_VALUE);
              claims.add(claim(partition, Math.min(end, barrier)));
            });
    return claims;
  }

  /**
   * Returns the claims between two puts: everything that Connect delivered is applied. So a
   * partition without records gets a row too, and rejected or filtered records count as applied.
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
    for (OffsetClaim claim : claims) {
      applied.put(claim.partition(), StoredOffset.stored(claim.next()));
      stored.add(logKey(claim.partition()));
    }
  }

  private OffsetClaim claim(TopicPartition partition, long next) {
    StoredOffset at = applied.get(partition);
    return new OffsetClaim(
        partition,
        logs.get(partition).topicId(),
        at.stored(),
        at.isKnown() ? at.next() : next,
        next);
  }

  private void read(Connection connection) throws SQLException {
    Map<TopicPartition, TopicLogs.Log> found = topicLogs.read(assigned);
    Map<TopicPartition, StoredOffset> read = FindOffsets.execute(connection, found);
    connection.commit();
    Map<TopicPartition, TopicLogs.Log> former = Map.copyOf(logs);
    logs.clear();
    logs.putAll(found);
    applied.clear();
    applied.putAll(read);
    if (!assigned.isEmpty()) {
      applied.replaceAll((partition, at) -> at.isKnown() ? at : unknown(partition, former));
      applied.forEach(
          (partition, at) -> {
            if (at.stored()) {
              stored.add(logKey(partition));
            }
          });
      LOG.info("Applied offsets read from the database: {}", applied);
      assigned.forEach(this::reportReplaced);
      applied.forEach((p, offset) -> reportLost(p, offset, logs.get(p).complete()));
    }
    known = true;
  }

  /** What a partition is that the table has no row of. */
  private StoredOffset unknown(
      TopicPartition partition, Map<TopicPartition, TopicLogs.Log> former) {
    if (former.containsKey(partition) && !isSameTopic(partition, former)) {
      return StoredOffset.RECREATED;
    }
    if (stored.contains(logKey(partition))) {
      LOG.warn(
          "{} has no applied offset in the database any more, which was restored to before the first"
              + " or is another one: it is read from its begin",
          partition);
      return StoredOffset.FORGOTTEN;
    }
    return StoredOffset.NONE;
  }

  private void reportReplaced(TopicPartition partition) {
    if (!applied.containsKey(partition)) {
      LOG.warn("{} does not exist; it is read from its begin when it is created again", partition);
    } else if (applied.get(partition).recreated()) {
      LOG.warn(
          "{} was deleted and recreated: it is read from its begin. Records of its former log that"
              + " were not applied are lost to this database",
          partition);
    }
  }

  /**
   * Lowers the offsets of logs that have lost their end, before records are written there at
   * offsets that count as applied.
   *
   * @param before the logs in which Kafka delivered up to the applied offsets
   */
  private void moveBack(
      Connection connection,
      Map<TopicPartition, Long> firsts,
      Map<TopicPartition, TopicLogs.Log> before)
      throws SQLException {
    var claims = new ArrayList<OffsetClaim>();
    applied.forEach(
        (partition, at) -> {
          TopicLogs.Log log = logs.get(partition);
          long next = Math.min(at.next(), log.end());
          if (before.containsKey(partition) && isSameTopic(partition, before)) {
            next = Math.min(next, firsts.getOrDefault(partition, next));
          }
          if (at.isKnown() && next < at.next()) {
            LOG.error(
                "{} is applied up to offset {}, but goes on at {}: its log has lost its end{};"
                    + " every record from there on is written",
                partition,
                at.next(),
                next,
                log.isUnknown() ? ", or the topic was recreated" : "");
            reportedLost.remove(logKey(partition));
            claims.add(claim(partition, next));
          }
        });
    ClaimOffsets.execute(connection, claims);
    connection.commit();
    committed(claims);
  }

  /**
   * A consumer whose next offset Kafka has deleted continues at the begin of the log. Other gaps
   * are usual: markers of transactions, records of aborted ones, compaction.
   */
  private void reportSkipped(Map<TopicPartition, Long> firsts, Collection<SinkRecord> records) {
    List<TopicPartition> gaps =
        firsts.keySet().stream()
            .filter(p -> applied.get(p).isKnown() && firsts.get(p) > applied.get(p).next() + 1)
            .toList();
    if (gaps.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = ends(records);
    topicLogs
        .read(gaps.stream().filter(p -> mayHaveDeleted(p, ends.get(p))).toList())
        .forEach((p, log) -> reportLost(p, applied.get(p), Math.min(log.begin(), firsts.get(p))));
  }

  /** Whether the log may begin after what is applied. Asks only the consumer: gaps are frequent. */
  private boolean mayHaveDeleted(TopicPartition partition, long end) {
    double latestBegin = end + PASSED_UNSEEN - lead.applyAsDouble(partition);
    return !(latestBegin <= applied.get(partition).next());
  }

  private void reportLost(TopicPartition partition, StoredOffset stored, long complete) {
    long at = stored.next();
    long reported = Math.max(at, reportedLost.getOrDefault(logKey(partition), 0L));
    // The marker at the end of a transaction takes an offset too.
    if (stored.isKnown() && complete > reported + 1) {
      LOG.error(
          "{} is applied up to offset {}, but Kafka may have deleted or compacted away anything before"
              + " offset {}: up to {} records are lost to this database; see docs/runbooks/"
              + "RondoSinkLostRecords.md. Keep retention.ms, or"
              + " min.compaction.lag.ms, of the topic above the age of your oldest backup",
          partition,
          at,
          complete,
          complete - reported);
      metrics.lost(complete - reported);
      reportedLost.put(logKey(partition), complete);
    }
  }

  private boolean isSameTopic(TopicPartition partition, Map<TopicPartition, TopicLogs.Log> others) {
    return others.get(partition).topicId().equals(logs.get(partition).topicId());
  }

  private LogKey logKey(TopicPartition partition) {
    return new LogKey(partition, logs.get(partition).topicId());
  }

  /** Partitions that the table does not know begin at their first record. */
  private void beginAt(Map<TopicPartition, Long> firsts) {
    firsts.forEach(
        (partition, first) ->
            applied.computeIfPresent(
                partition, (p, at) -> at.isKnown() ? at : beginning(partition, first)));
  }

  private StoredOffset beginning(TopicPartition partition, long first) {
    long begin = logs.get(partition).begin();
    if (first > begin + 1) { // a marker takes an offset, too
      LOG.warn(
          "{} has no applied offset in the database: it is read from {} on, where the consumer group"
              + " is. Kafka has records from {} on; if the database lacks them, reset the offsets of the"
              + " connector: connectors/postgres-sink/README.md#begin-elsewhere",
          partition,
          first,
          begin);
    }
    return new StoredOffset(first, false, false);
  }

  /**
   * Whether Kafka delivers no older offsets unasked: another log under the name of the topic, or
   * one that has lost its end.
   */
  private boolean isForward(Map<TopicPartition, Long> firsts) {
    return firsts.entrySet().stream()
        .allMatch(
            first -> {
              StoredOffset at = applied.get(first.getKey());
              return at != null && first.getValue() >= at.next();
            });
  }

  /** First offset of each partition that is assigned to this task. */
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

  /** The offset after the last of each partition that has a log. */
  private Map<TopicPartition, Long> ends(Collection<SinkRecord> records) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (SinkRecord record : records) {
      TopicPartition partition = Origin.partition(record);
      if (applied.containsKey(partition)) {
        ends.merge(partition, Origin.offset(record) + 1, Math::max);
      }
    }
    return ends;
  }

  /** A log: offsets of a recreated topic begin anew. */
  private record LogKey(TopicPartition partition, UUID topicId) {}
}
