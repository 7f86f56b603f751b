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

/** The questions, asked of archives that are full. */
final class Reading {
  /** As psql speaks: a question is one message, parsed and planned each time; answers are text. */
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
   * What a question takes.
   *
   * @param cpuMs of the server, warm; NaN where it cannot be seen
   * @param pages of 8 KB that it reads, from the cache or not
   * @param cold null where the server is not ours to restart
   */
  record Answer(Question question, Latency warm, double cpuMs, long pages, Latency cold) {}

  List<Answer> ask() throws SQLException {
    var warm = new EnumMap<Question, Latency>(Question.class);
    var cpuMs = new EnumMap<Question, Double>(Question.class);
    var pages = new EnumMap<Question, Long>(Question.class);
    try (Sql sql = server.connect(AS_PSQL)) {
      for (Question question : Question.values()) {
        Latency.measure(sql, Math.max(1, runs / 4), run -> question.sql(filled, 0, run)); // warms
        double cpu = server.cpuSeconds();
        warm.put(question, Latency.measure(sql, runs, run -> question.sql(filled, 0, run)));
        cpuMs.put(question, (server.cpuSeconds() - cpu) * 1e3 / runs);
        pages.put(question, pages(sql, question.sql(filled, 0, 0)));
      }
    }
    Map<Question, Latency> cold = server.isOwn() ? askCold() : Map.of();
    var answers = new ArrayList<Answer>();
    for (Question question : Question.values()) {
      answers.add(
          new Answer(
              question,
              warm.get(question),
              cpuMs.get(question),
              pages.get(question),
              cold.get(question)));
    }
    return answers;
  }

  /** Each segment once, after a restart with a cache too small for one. */
  private Map<Question, Latency> askCold() throws SQLException {
    var cold = new EnumMap<Question, Latency>(Question.class);
    setCache("alter system set shared_buffers = '%s'".formatted(SMALL_CACHE));
    for (Question question : Question.values()) {
      server.restart();
      try (Sql sql = server.connect(AS_PSQL)) {
        sql.rows("select 'catalog read' from tv where ds_id = -1 and step_ms = 1");
        cold.put(
            question,
            Latency.measure(
                sql, filled.minutes().segments(), run -> question.sql(filled, run, run)));
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

  private static long pages(Sql sql, String question) throws SQLException {
    String plan = sql.text("explain (analyze, buffers, format json) " + question);
    try {
      JsonNode root = new ObjectMapper().readTree(plan).get(0).get("Plan");
      return root.get("Shared Hit Blocks").asLong() + root.get("Shared Read Blocks").asLong();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(plan, e);
    }
  }
}
