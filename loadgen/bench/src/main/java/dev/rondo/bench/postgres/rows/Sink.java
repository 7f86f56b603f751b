package dev.rondo.bench.postgres.rows;

import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Sql;
import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;

/** Running tasks of the real sink, connected to PostgreSQL. */
public final class Sink implements AutoCloseable {
  private static final long POLL_NANOS = 2_000_000;
  private static final String SESSIONS =
      "select pid from pg_stat_activity where application_name = '%s'"
          .formatted(Server.APPLICATION);

  private final Server server;
  private final Sql sql;
  private final List<PostgresSinkTask> tasks = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private Sink(Server server, Sql sql) {
    this.server = server;
    this.sql = sql;
  }

  /** A sink with one task. */
  public static Sink start(Server server, Sql sql, Map<String, String> more) {
    return start(server, sql, more, 1);
  }

  /**
   * Starts tasks and connects them.
   *
   * @param sql session to observe the end of the sink's sessions
   * @param more config additional to the connection
   */
  public static Sink start(Server server, Sql sql, Map<String, String> more, int tasks) {
    var sink = new Sink(server, sql);
    var config = new HashMap<>(server.sinkConfig());
    config.putAll(more);
    for (int n = 0; n < tasks; n++) {
      var task = new PostgresSinkTask();
      sink.tasks.add(task);
      task.initialize(new NoWorker(config));
      task.start(config);
      task.open(partitions(n, tasks));
      task.put(List.of(series("bench", 0, 1))); // connects
    }
    return sink;
  }

  private static List<TopicPartition> partitions(int task, int tasks) {
    return IntStream.range(0, Rows.PARTITIONS)
        .filter(partition -> partition % tasks == task)
        .mapToObj(partition -> new TopicPartition(Topics.BUNDLE_ROWS.name(), partition))
        .toList();
  }

  /** Passes each task the records of its partitions in one put; returns when all have finished. */
  public void put(List<SinkRecord> records) {
    CompletableFuture<?>[] puts =
        IntStream.range(0, tasks.size())
            .mapToObj(n -> share(records, n))
            .map(share -> CompletableFuture.runAsync(share, threads))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(puts).join();
  }

  private Runnable share(List<SinkRecord> records, int n) {
    List<SinkRecord> share =
        records.stream().filter(r -> r.kafkaPartition() % tasks.size() == n).toList();
    return () -> tasks.get(n).put(share);
  }

  /** A record with the location of a series. */
  public static SinkRecord series(String name, int seg, int pos) {
    String topic = Topics.SERIES.name();
    var entry = new SeriesEntry(name, "none", seg, pos, 0L, "", "", 0L);
    SchemaAndValue data =
        new RondoConverter()
            .toConnectData(topic, Topics.SERIES.valueSerde().serializer().serialize(topic, entry));
    return new SinkRecord(topic, 0, Schema.STRING_SCHEMA, name, data.schema(), data.value(), 0);
  }

  /** Waits until its sessions have ended and are included in the statistics. */
  @Override
  public void close() throws SQLException {
    List<List<String>> sessions = sql.rows(SESSIONS);
    tasks.forEach(PostgresSinkTask::stop);
    threads.shutdown();
    while (!sql.rows(SESSIONS).isEmpty() || (server.isOwn() && areAlive(sessions))) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean areAlive(List<List<String>> sessions) {
    return sessions.stream()
        .anyMatch(row -> ProcessHandle.of(Long.parseLong(row.get(0))).isPresent());
  }
}
