package dev.rondo.bench.peers;

import dev.rondo.bench.Progress;
import dev.rondo.bench.ingest.Rondo;
import dev.rondo.bench.ingest.Step;
import dev.rondo.bench.ingest.Timing;
import dev.rondo.bench.ingest.Workload;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs the loads of {@code ./rondo bench ingest} on Rondo, and asks the questions. */
final class RondoRun {
  static final String NAME = "Rondo";

  /** Bytes per value that there is space for: rows are preallocated for the slots to come. */
  private static final String VALUE_BYTES =
      "select pg_total_relation_size('ts') / sum(cardinality(dp))::float8 from ts";

  private static final String SERIES_BYTES =
      """
      select (pg_total_relation_size('ds') + pg_total_relation_size('location_period')
              + pg_total_relation_size('branch')
              + pg_total_relation_size('tag_value')) / (select count(*) from ds)::float8
      """;

  private RondoRun() {}

  static Figures measure(
      Rondo rondo, Workload workload, Timing timing, boolean verifies, int runs, Progress progress)
      throws IOException, InterruptedException, SQLException {
    Step.Result result = timing.step(workload).run(rondo, verifies, progress);
    Map<String, Double> questionMs =
        History.send(workload, rondo::load).ask(NAME, rondo.api(), runs, progress);
    var parts = new LinkedHashMap<>(result.cpuSeconds());
    double generatorCpuSeconds = parts.remove("loadgen");
    try (Connection connection = rondo.connect()) {
      return new Figures(
          NAME,
          result.pointsPerSecond(),
          result.isSustained(),
          parts,
          generatorCpuSeconds,
          result.residentMb().values().stream().mapToLong(Long::longValue).sum(),
          result.kafkaBytes() + result.walBytes(),
          number(connection, VALUE_BYTES),
          number(connection, SERIES_BYTES),
          result.visibleP50Ms(),
          result.visibleP99Ms(),
          questionMs,
          result.verified());
    }
  }

  private static double number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getDouble(1);
    }
  }
}
