package dev.rondo.bench.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.rows.Archive;
import dev.rondo.bench.postgres.rows.Filled;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Size;
import dev.rondo.bench.postgres.server.Sql;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cost of a query through the view in PostgreSQL. */
@Command(
    name = "read",
    description = "Measures the cost of a query through the view tv: time, and pages read.")
public final class ReadCommand extends PostgresCommand {
  private static final int MIN_SLOTS = 360; // six hours

  @Option(
      names = "--segments",
      paramLabel = "N",
      defaultValue = "20",
      description = "Segments, all full (default: 20).")
  private int segments;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "10080",
      description = "Slots of the one-minute archive (default: 10080, 7 d).")
  private int slots;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many times the archives wrap around (default: 2).")
  private int rounds;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "200",
      description = "Runs of each query (default: 200).")
  private int runs;

  /**
   * Result.
   *
   * @param pagesOfSixHours pages with the rows of one segment in six hours
   */
  record Result(Archive archive, Size size, double pagesOfSixHours, List<Reading.Answer> answers) {}

  @Override
  public Integer call() throws SQLException, IOException {
    check();
    var progress = new Progress();
    String machine;
    Result result;
    try (Server server = server()) {
      try (Sql sql = server.connect()) {
        machine = server.describe(sql);
      }
      result = measure(server, progress);
      progress.done();
    }
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(result));
    } else {
      print(machine, result);
    }
    return 0;
  }

  private void check() {
    requireBetween("--segments", segments, 1, 500);
    require(slots >= MIN_SLOTS, "--slots: " + slots + " is less than " + MIN_SLOTS + ", 6 h");
    requireAtLeast("--rounds", rounds, 1);
    requireAtLeast("--runs", runs, 1);
  }

  private Result measure(Server server, Progress progress) throws SQLException {
    Filled filled;
    double pages;
    Size size;
    try (Sql sql = server.connect()) {
      filled = Filled.fill(server, sql, segments, slots, rounds, progress);
      pages = filled.pagesOfSixHours(sql);
      size = Size.of(sql);
    }
    progress.show("asking", 0, 1);
    return new Result(filled.minutes(), size, pages, new Reading(server, filled, runs).ask());
  }

  private void print(String machine, Result result) {
    System.out.println(machine);
    System.out.printf(
        """
        %,d segments, archives 1m (%,d slots) and 10 s (%,d slots), written around %d times by the sink;
        ms until the last row is here as text, as psql asks; warm: %d runs, one segment;
        cold: %d runs, each of another segment, after a restart with a cache of 2 MB. CPU: of the server, warm.
        """,
        segments, slots, Math.min(slots, 2160), rounds, runs, segments);
    System.out.printf(
        "%nwidth %d; table %,.0f MB, index %,.0f MB; six hours of a segment on %.1f pages%n",
        result.archive().width(),
        result.size().table() / 1e6,
        result.size().index() / 1e6,
        result.pagesOfSixHours());
    String row = "%-30s %8s %8s %8s %9s %8s %9s %9s%n";
    System.out.printf(
        row, "", "rows", "p50 ms", "p99 ms", "CPU ms", "pages", "cold p50", "cold p99");
    for (Reading.Answer answer : result.answers()) {
      System.out.printf(
          row,
          answer.query().title(),
          "%,d".formatted(answer.warm().rows()),
          "%.2f".formatted(answer.warm().p50()),
          "%.2f".formatted(answer.warm().p99()),
          SinkTable.number("%.2f", answer.cpuMs()),
          "%,d".formatted(answer.pages()),
          answer.cold() == null ? "–" : "%.2f".formatted(answer.cold().p50()),
          answer.cold() == null ? "–" : "%.2f".formatted(answer.cold().p99()));
    }
  }
}
