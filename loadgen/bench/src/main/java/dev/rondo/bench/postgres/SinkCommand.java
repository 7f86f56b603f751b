package dev.rondo.bench.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.rows.Archive;
import dev.rondo.bench.postgres.rows.Phase;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Size;
import dev.rondo.bench.postgres.server.Sql;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cost of a row in the sink and PostgreSQL, by width. */
@Command(
    name = "sink",
    description = {
      "Measures the cost of a row for the sink and PostgreSQL, by width.",
      "",
      "Time, CPU, bytes of WAL, table and index. With --hour, the size of the tables during "
          + "an hour of writes."
    })
public final class SinkCommand extends PostgresCommand {
  /** Above this an archive gets fewer slots, so that wide rows do not fill the disk. */
  private static final long MAX_VALUES = 12_000_000;

  @Option(
      names = "--widths",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,116,200,1000",
      description = "Values per row (default: 1,116,200,1000).")
  private List<Integer> widths;

  @Option(
      names = "--segments",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Rows per slot, written by each task in one put (default: 2000).")
  private int segments;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "56000",
      description = "Rows of the archive; fewer if wide (default: 56000).")
  private int rows;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Minimum time of each measurement (default: 3).")
  private double seconds;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      defaultValue = "2",
      description = "Concurrent tasks, each with separate segments (default: 2).")
  private int tasks;

  @Option(names = "--hour", description = "An hour of writes instead: size and bloat by quarter.")
  private boolean hour;

  @Option(
      names = "--quarters",
      paramLabel = "N",
      defaultValue = "4",
      description = "With --hour: quarters of an hour (default: 4).")
  private int quarters;

  @Option(
      names = "--snapshot",
      paramLabel = "QUARTER",
      defaultValue = "0",
      description =
          "With --hour: keep a transaction open in that quarter, as a backup does (default: 0, none).")
  private int snapshotIn;

  /**
   * One line of the result.
   *
   * @param size of the table afterwards
   */
  record Result(int width, int rows, Phase phase, Cost cost, Size size) {}

  @Override
  public Integer call() throws SQLException, IOException {
    check();
    var progress = new Progress();
    try (Server server = server();
        Sql sql = server.connect()) {
      if (hour) {
        new HourRun(server, sql, segments, quarters, snapshotIn).run(json, progress);
        return 0;
      }
      List<Result> results = new ArrayList<>();
      warmUp(server, sql);
      for (int width : widths) {
        results.addAll(measure(server, sql, width, progress));
      }
      progress.done();
      if (json) {
        System.out.println(new ObjectMapper().writeValueAsString(results));
      } else {
        System.out.println(server.describe(sql));
        System.out.printf("%d tasks, %,d rows per slot, one put per task%n%n", tasks, segments);
        SinkTable.print(results);
      }
    }
    return 0;
  }

  private void check() {
    requireWidths(widths);
    requireBetween("--segments", segments, 1, 100_000);
    require(tasks >= 1 && tasks <= segments, "--tasks: " + tasks + " is not 1..--segments");
    require(rows >= segments, "--rows: " + rows + " is less than --segments, " + segments);
    requireAtLeast("--quarters", quarters, 1);
    require(
        snapshotIn >= 0 && snapshotIn <= quarters,
        "--snapshot: " + snapshotIn + " is not 0.." + quarters + ", --quarters");
    require(seconds >= 0, "--seconds: " + seconds + " is negative");
  }

  /** Warms up: for the first rows classes are loaded and compiled. */
  private void warmUp(Server server, Sql sql) throws SQLException {
    var archive = new Archive("bench", 10_000, 4, Math.min(segments, 2000), 100);
    new Writing(server, sql, archive, Math.min(1, seconds / 2), tasks).run(p -> {});
  }

  private List<Result> measure(Server server, Sql sql, int width, Progress progress)
      throws SQLException {
    long slots = Math.min(rows / segments, Math.max(1, MAX_VALUES / segments / width));
    var archive = new Archive("bench", 10_000, (int) slots, segments, width);
    server.resetTables(sql);
    List<Result> results = new ArrayList<>();
    new Writing(server, sql, archive, seconds, tasks)
        .run(
            phase ->
                progress.show(
                    "width %d, %s".formatted(width, phase.title()),
                    List.of(Phase.values()).indexOf(phase) + 1L,
                    Phase.values().length))
        .forEach(
            (phase, measured) ->
                results.add(
                    new Result(width, archive.rows(), phase, measured.cost(), measured.size())));
    return results;
  }
}
