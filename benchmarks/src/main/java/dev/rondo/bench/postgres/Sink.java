package dev.rondo.bench.postgres;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;

/** A running task of the real sink, connected. */
final class Sink implements AutoCloseable {
  private static final long POLL_NANOS = 2_000_000;
  private static final String SESSIONS =
      "select pid from pg_stat_activity where application_name = '%s'"
          .formatted(Server.APPLICATION);

  private final Server server;
  private final Sql sql;
  private final PostgresSinkTask task = new PostgresSinkTask();

  private Sink(Server server, Sql sql) {
    this.server = server;
    this.sql = sql;
  }

  /**
   * @param sql to see when its session has ended
   * @param more config besides the connection
   */
  static Sink start(Server server, Sql sql, Map<String, String> more) {
    var sink = new Sink(server, sql);
    var config = new HashMap<>(server.sinkConfig());
    config.putAll(more);
    sink.task.initialize(new NoWorker(config));
    sink.task.start(config);
    sink.put(List.of(series("bench", 0, 1))); // connects
    return sink;
  }

  void put(List<SinkRecord> records) {
    task.put(records);
  }

  /** The place of a series, as a record. */
  static SinkRecord series(String name, int seg, int pos) {
    String topic = Topics.SERIES.name();
    var entry = new SeriesEntry(name, "none", seg, pos, 0L);
    SchemaAndValue data =
        new RondoConverter()
            .toConnectData(topic, Topics.SERIES.valueSerde().serializer().serialize(topic, entry));
    return new SinkRecord(topic, 0, Schema.STRING_SCHEMA, name, data.schema(), data.value(), 0);
  }

  /** Returns when its session has ended, and is counted in the statistics. */
  @Override
  public void close() throws SQLException {
    List<List<String>> sessions = sql.rows(SESSIONS);
    task.stop();
    while (!sql.rows(SESSIONS).isEmpty() || (server.isOwn() && areAlive(sessions))) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean areAlive(List<List<String>> sessions) {
    return sessions.stream()
        .anyMatch(row -> ProcessHandle.of(Long.parseLong(row.get(0))).isPresent());
  }
}
