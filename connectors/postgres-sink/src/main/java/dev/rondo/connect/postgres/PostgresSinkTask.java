package dev.rondo.connect.postgres;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Error policy of the sink. Nothing of a put is held back when it returns, so that Connect may
 * commit the offsets of all that it has handed over. What fails is retried for ever, rejected
 * record by record, or ends the task, as {@link SqlStates} says.
 */
public final class PostgresSinkTask extends SinkTask {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSinkTask.class);

  private Database database;
  private RowWriter writer;
  private Backoff backoff;

  @Override
  public void start(Map<String, String> props) {
    PostgresSinkConfig config = PostgresSinkConfig.of(props);
    database = new Database(config); // opened by the first put: PostgreSQL may be away now
    writer = new RowWriter(database, config.reserveSlots());
    backoff = new Backoff(config.retryBackoffMs(), config.retryBackoffMaxMs());
    LOG.info("writing to {}", database);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    if (records.isEmpty()) {
      return;
    }
    var rejects = new ArrayList<Reject>();
    List<Request> requests = read(records, rejects);
    try {
      writer.write(requests.stream().map(Request::change).toList());
    } catch (SQLException e) {
      writer.reset(); // a failed transaction is never reused
      switch (SqlStates.verdict(e)) {
        case RETRY -> throw retry(records, e);
        case REJECT -> writeOneByOne(requests, rejects);
        case FAIL -> throw fail(records, e);
      }
    }
    backoff.reset();
    report(rejects); // last, so that a retried put does not report twice
  }

  @Override
  public void stop() {
    if (writer != null) {
      writer.close();
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
        rejects.add(new Reject(record, e));
      }
    }
    return requests;
  }

  /** A transaction for each record, so that the bad ones are found and their neighbours stored. */
  private void writeOneByOne(List<Request> requests, List<Reject> rejects) {
    for (Request request : requests) {
      try {
        writer.write(List.of(request.change()));
      } catch (SQLException e) {
        writer.reset();
        switch (SqlStates.verdict(e)) {
          case RETRY -> throw retry(List.of(request.record()), e);
          case REJECT -> rejects.add(new Reject(request.record(), e));
          case FAIL -> throw fail(List.of(request.record()), e);
        }
      }
    }
  }

  private void report(List<Reject> rejects) {
    ErrantRecordReporter reporter = context.errantRecordReporter();
    for (Reject reject : rejects) {
      if (reporter == null) {
        throw new ConnectException(
            "%s cannot be stored: %s; to go on without such records set "
                    .formatted(describe(List.of(reject.record())), reject.reason().getMessage())
                + "errors.tolerance=all and errors.deadletterqueue.topic.name",
            reject.reason());
      }
      // Connect itself waits for it, before it commits the offset.
      Future<Void> unused = reporter.report(reject.record(), reject.reason());
    }
  }

  private RetriableException retry(Collection<SinkRecord> records, SQLException e) {
    writer.close(); // the next connection may lead to another server
    long pauseMs = backoff.nextMs();
    context.timeout(pauseMs);
    return new RetriableException(
        "%s, again in %d ms: %s".formatted(describe(records), pauseMs, answer(e)), e);
  }

  private ConnectException fail(Collection<SinkRecord> records, SQLException e) {
    return new ConnectException(
        "%s: %s%s".formatted(describe(records), answer(e), SqlStates.advice(e)), e);
  }

  private String answer(SQLException e) {
    return "%s answers [%s] %s".formatted(database, SqlStates.state(e), e.getMessage());
  }

  /** {@code 3 records, rondo.series-0@17 … rondo.bundle-rows-4@99}. */
  private static String describe(Collection<SinkRecord> records) {
    List<SinkRecord> all = new ArrayList<>(records);
    String first = position(all.get(0));
    return all.size() == 1
        ? "record " + first
        : "%d records, %s … %s".formatted(all.size(), first, position(all.get(all.size() - 1)));
  }

  private static String position(SinkRecord record) {
    return "%s-%d@%d".formatted(record.topic(), record.kafkaPartition(), record.kafkaOffset());
  }

  /** A record and what it asks for. */
  private record Request(SinkRecord record, Change change) {}

  /** A record that cannot be stored, and why. */
  private record Reject(SinkRecord record, Exception reason) {}
}
