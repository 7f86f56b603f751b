package dev.rondo.bench.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.postgres.rows.Filled;
import dev.rondo.bench.postgres.server.Latency;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Runs the queries on full archives. */
final class Reading {
  /** As psql: simple query protocol, parsed and planned each time; results as text. */
  private static final String AS_PSQL = "&preferQueryMode=simple";

  private static final String SMALL_CACHE = "2MB";

  private final Server server;
  private final Filled filled;
  private final int runs;

  Reading(Server server, Filled filled, int runs) {
    this.server = server;
    this.filled = filled;
    this.runs = runs;
  }

  /**
   * Cost of a query.
   *
   * @param cpuMs CPU time of the server, warm; NaN if not visible
   * @param pages pages of 8 KB read, cached or not
   * @param cold null if the server cannot be restarted
   */
  record Answer(Query query, Latency warm, double cpuMs, long pages, Latency cold) {}

  List<Answer> ask() throws SQLException {
    var warm = new EnumMap<Query, Latency>(Query.class);
    var cpuMs = new EnumMap<Query, Double>(Query.class);
    var pages = new EnumMap<Query, Long>(Query.class);
    try (Sql sql = server.connect(AS_PSQL)) {
      for (Query query : Query.values()) {
        Latency.measure(sql, Math.max(1, runs / 4), run -> query.sql(filled, 0, run)); // warm-up
        double cpu = server.cpuSeconds();
        warm.put(query, Latency.measure(sql, runs, run -> query.sql(filled, 0, run)));
        cpuMs.put(query, (server.cpuSeconds() - cpu) * 1e3 / runs);
        pages.put(query, pages(sql, query.sql(filled, 0, 0)));
      }
    }
    Map<Query, Latency> cold = server.isOwn() ? askCold() : Map.of();
    var answers = new ArrayList<Answer>();
    for (Query query : Query.values()) {
      answers.add(
          new Answer(query, warm.get(query), cpuMs.get(query), pages.get(query), cold.get(query)));
    }
    return answers;
  }

  /** Reads each segment once, after a restart with a cache smaller than a segment. */
  private Map<Query, Latency> askCold() throws SQLException {
    var cold = new EnumMap<Query, Latency>(Query.class);
    setCache("alter system set shared_buffers = '%s'".formatted(SMALL_CACHE));
    for (Query query : Query.values()) {
      server.restart();
      try (Sql sql = server.connect(AS_PSQL)) {
        sql.rows("select 'catalog read' from tv where ds_id = -1 and step_ms = 1");
        cold.put(
            query,
            Latency.measure(sql, filled.minutes().segments(), run -> query.sql(filled, run, run)));
      }
    }
    setCache("alter system reset shared_buffers");
    return cold;
  }

  private void setCache(String alteration) throws SQLException {
    try (Sql sql = server.connect()) {
      sql.execute(alteration);
    }
    server.restart();
  }

  private static long pages(Sql sql, String query) throws SQLException {
    String plan = sql.text("explain (analyze, buffers, format json) " + query);
    try {
      JsonNode root = new ObjectMapper().readTree(plan).get(0).get("Plan");
      return root.get("Shared Hit Blocks").asLong() + root.get("Shared Read Blocks").asLong();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(plan, e);
    }
  }
}
