package dev.rondo.connect.postgres;

import dev.rondo.connect.postgres.DeadLetterQueue.Reject;
import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.ChangeReader;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.connect.postgres.changes.WriteCounts;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.errors.RefusedRecordException;
import dev.rondo.connect.postgres.errors.SqlStates;
import dev.rondo.connect.postgres.metrics.ConsumerLag;
import dev.rondo.connect.postgres.metrics.MetricsBean;
import dev.rondo.connect.postgres.metrics.SinkMetrics;
import dev.rondo.connect.postgres.offsets.AppliedOffsets;
import dev.rondo.connect.postgres.offsets.NoKafkaException;
import dev.rondo.connect.postgres.offsets.OffsetClaim;
import dev.rondo.connect.postgres.offsets.TopicLogs;
import dev.rondo.connect.postgres.writing.RowWriter;
import dev.rondo.schemas.RowArrival;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Task of the sink, and its error policy. Nothing is buffered when a put returns, so Connect may
 * commit the offsets of everything it delivered; the database itself holds which offsets are
 * applied ({@link AppliedOffsets}). A put is one transaction, unless that was too large for
 * PostgreSQL or {@code RowBatches} cuts it. {@link SqlStates} decides whether a failed put is
 * retried without limit, rejected record by record, or fails the task. A retried put may have been
 * stored in part or as a whole; writing it again changes nothing.
 */
public final class PostgresSinkTask extends SinkTask {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSinkTask.class);

  private Database database;
  private RowWriter writer;
  private TopicLogs topicLogs;
  private AppliedOffsets offsets;
  private Backoff backoff;
  private DeadLetterQueue deadLetters;
  private SinkMetrics metrics;
  private MetricsBean bean;
  private final TransactionSize size = new TransactionSize();
  private final Outage outage = new Outage(Clock.systemUTC());

  @Override
  public void start(Map<String, String> props) {
    PostgresSinkConfig config = PostgresSinkConfig.of(props);
    database = new Database(config); // opened by the first put: PostgreSQL may be away now
    writer = new RowWriter(database, config.preallocateSlots(), config.eventRetentionDays());
    backoff =
        new Backoff(config.retryBackoffMs(), config.retryBackoffMaxMs(), new SplittableRandom());
    metrics =
        new SinkMetrics(database, Clock.systemUTC(), System::nanoTime, () -> ConsumerLag.of(props));
    topicLogs = new TopicLogs(config.kafka(), Clock.systemUTC());
    offsets =
        new AppliedOffsets(
            topicLogs, context, metrics, partition -> ConsumerLag.lead(props, partition));
    bean = MetricsBean.register(metrics, props);
    deadLetters = new DeadLetterQueue(context.errantRecordReporter(), props);
    LOG.info("Writing to {}", database);
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    metrics.assign(partitions);
    offsets.assign(partitions);
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    metrics.revoke(partitions);
    offsets.revoke(partitions);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    offsets.sought();
    if (records.isEmpty() && offsets.areKnown()) {
      return;
    }
    var rejects = new ArrayList<Reject>();
    metrics.putStarted(
        writtenMs(records).min().orElse(Long.MAX_VALUE),
        writtenMs(records).max().orElse(Long.MIN_VALUE));
    List<Request> requests = List.of();
    try {
      if (!offsets.align(database.connection(), records)) {
        LOG.info("Skipped {}: not the next offsets; asked Kafka for those", describe(records));
        return;
      }
      requests = read(records, rejects);
      for (List<Request> part : size.cut(requests)) {
        write(part, rejects);
      }
    } catch (SQLException e) {
      if (SqlStates.verdict(e) == SqlStates.Verdict.FAIL) {
        throw fail(records, e);
      }
      if (SqlStates.isTooLarge(e)) {
        size.tooLarge(requests.size());
      }
      throw retry(
          records, SqlStates.state(e), answer(e) + SqlStates.advice(e), SqlStates.unwrap(e));
    } catch (NoKafkaException e) {
      if (e.isRefusal()) {
        throw new ConnectException(e.getMessage(), e);
      }
      throw retry(records, "kafka", e.getMessage(), e);
    }
    succeeded();
    report(rejects); // last, so that a retried put reports only once
  }

  /**
   * Lets Connect commit everything it delivered, since it is stored or reported; nothing while the
   * task waits for other offsets, or a partition does not exist.
   */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> delivered) {
    if (offsets.isSeeking()) {
      return Map.of();
    }
    boolean allExist = offsets.checkTopics();
    if (offsets.areKnown()) {
      try {
        List<OffsetClaim> claims = offsets.claims(delivered);
        writer.claim(claims);
        offsets.committed(claims);
      } catch (SQLException e) {
        LOG.info("Cannot store applied offsets, reads them again: {}", answer(e));
        writer.reset();
        offsets.invalidate();
      }
    }
    // Connect would add the last offset of a missing partition, and wait a minute for Kafka to take
    // it.
    return allExist ? delivered : Map.of();
  }

  @Override
  public void stop() {
    if (bean != null) {
      bean.close();
    }
    if (writer != null) {
      writer.close();
    }
    if (topicLogs != null) {
      topicLogs.close();
    }
  }

  @Override
  public String version() {
    return Version.CURRENT;
  }

  private static List<Request> read(Collection<SinkRecord> records, List<Reject> rejects) {
    var requests = new ArrayList<Request>(records.size());
    for (SinkRecord record : records) {
      try {
        requests.add(new Request(record, ChangeReader.read(record)));
      } catch (DataException e) {
        rejects.add(new Reject(record, e, "unreadable"));
      }
    }
    return requests;
  }

  private void store(List<Request> requests, List<Reject> rejects) throws SQLException {
    List<OffsetClaim> claims =
        offsets.claims(
            requests.stream().map(Request::record).toList(),
            rejects.stream().map(Reject::record).toList());
    WriteCounts written = writer.write(requests.stream().map(Request::change).toList(), claims);
    offsets.committed(claims);
    metrics.committed(written, newestEndMs(requests));
    for (Request request : requests) {
      if (request.change() instanceof RowChange change) {
        arrival(request.record())
            .ifPresent(arrival -> metrics.stored(arrival, change.row().known()));
      }
    }
  }

  private static Optional<RowArrival> arrival(SinkRecord record) {
    Header header = record.headers().lastWithName(RowArrival.HEADER);
    return header == null || header.value() == null
        ? Optional.empty()
        : RowArrival.parse(header.value().toString());
  }

  private static LongStream writtenMs(Collection<SinkRecord> records) {
    return records.stream()
        .map(SinkRecord::timestamp)
        .filter(Objects::nonNull)
        .mapToLong(Long::longValue);
  }

  /**
   * End of the newest closed slot, epoch ms. A slot that ends after its record's timestamp is still
   * open, for example the present hour: it does not show how far the task has come.
   */
  private static long newestEndMs(List<Request> requests) {
    long newestMs = Long.MIN_VALUE;
    for (Request request : requests) {
      Long madeMs = request.record().timestamp();
      if (request.change() instanceof RowChange change
          && (madeMs == null || change.row().endMs() <= madeMs)) {
        newestMs = Math.max(newestMs, change.row().endMs());
      }
    }
    return newestMs;
  }

  /**
   * Writes in one transaction. If a record is at fault, writes each half in its own transaction,
   * and so on, until the faulty records are found and their neighbours stored.
   *
   * @throws SQLException for another reason; some records may be stored
   */
  private void write(List<Request> requests, List<Reject> rejects) throws SQLException {
    try {
      store(requests, rejects);
    } catch (SQLException e) {
      writer.reset(); // a failed transaction cannot be used again
      if (SqlStates.isTakenId(e)) {
        writer.advanceIds();
      }
      if (SqlStates.verdict(e) != SqlStates.Verdict.REJECT) {
        throw e;
      }
      if (requests.size() == 1) {
        Request refused = requests.get(0);
        rejects.add(
            new Reject(
                refused.record(),
                new RefusedRecordException(refused.change(), e),
                SqlStates.state(e)));
        return;
      }
      int half = requests.size() / 2;
      write(requests.subList(0, half), rejects);
      write(requests.subList(half, requests.size()), rejects);
    }
  }

  private void succeeded() {
    if (outage.isOngoing()) {
      LOG.info("{} accepts writes again after {}", database, outage);
    }
    outage.end();
    backoff.reset();
    size.succeeded();
    metrics.putFinished();
  }

  private void report(List<Reject> rejects) {
    for (Reject reject : rejects) {
      metrics.rejected(reject.label());
      if (!deadLetters.exists()) {
        throw new ConnectException(
            "%s cannot be stored: %s; to skip such records set "
                    .formatted(describe(List.of(reject.record())), reject.reason().getMessage())
                + "errors.tolerance=all and errors.deadletterqueue.topic.name",
            reject.reason());
      }
    }
    deadLetters.write(rejects); // before a transaction marks these records as applied
  }

  /** Connect logs the exception at each attempt; only the first one has a stack trace. */
  private RetriableException retry(
      Collection<SinkRecord> records, String reason, String answer, Exception e) {
    writer.close(); // the next connection may lead to another server
    offsets.invalidate();
    metrics.retried(reason, answer);
    long pauseMs = backoff.nextMs();
    context.timeout(pauseMs);
    boolean first = outage.failed();
    String text =
        "%s, %s, retrying in %d ms: %s".formatted(describe(records), outage, pauseMs, answer);
    return first ? new RetriableException(text, e) : new TryAgainException(text);
  }

  private ConnectException fail(Collection<SinkRecord> records, SQLException e) {
    return new ConnectException(
        "%s: %s%s".formatted(describe(records), answer(e), SqlStates.advice(e)),
        SqlStates.unwrap(e));
  }

  private String answer(SQLException e) {
    return "%s answers [%s] %s".formatted(database, SqlStates.state(e), SqlStates.text(e));
  }

  /** {@code 3 records, rondo.series-0@17 … rondo.bundle-rows-4@99}. */
  private static String describe(Collection<SinkRecord> records) {
    if (records.isEmpty()) {
      return "no records";
    }
    List<SinkRecord> all = new ArrayList<>(records);
    String first = position(all.get(0));
    return all.size() == 1
        ? "record " + first
        : "%d records, %s … %s".formatted(all.size(), first, position(all.get(all.size() - 1)));
  }

  private static String position(SinkRecord record) {
    return "%s-%d@%d".formatted(record.topic(), record.kafkaPartition(), record.kafkaOffset());
  }

  /** A record and the change that it asks for. */
  private record Request(SinkRecord record, Change change) {}

  /** Without a stack trace: one line in the log. */
  private static final class TryAgainException extends RetriableException {
    private static final long serialVersionUID = 1L;

    TryAgainException(String text) {
      super(text);
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
