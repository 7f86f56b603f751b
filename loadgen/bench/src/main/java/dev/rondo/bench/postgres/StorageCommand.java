package dev.rondo.bench.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.rows.Archive;
import dev.rondo.bench.postgres.rows.Filling;
import dev.rondo.bench.postgres.rows.Sink;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Size;
import dev.rondo.bench.postgres.server.Sql;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Storage per value in PostgreSQL, in a full archive that has wrapped around. */
@Command(
    name = "storage",
    description = {
      "Measures the bytes per value of full archives.",
      "",
      "Table and index, by width, of archives of 10s:6h, 1m:7d and 1h:1y that have wrapped "
          + "around; and the size of a series."
    })
public final class StorageCommand extends PostgresCommand {
  private static final long SECOND_MS = 1_000;
  private static final long MINUTE_MS = 60 * SECOND_MS;
  private static final long HOUR_MS = 60 * MINUTE_MS;

  /** Slots of 10s:6h, 1m:7d and 1h:1y. */
  private static final Map<Long, Integer> FULL =
      Map.of(10 * SECOND_MS, 2160, MINUTE_MS, 10_080, HOUR_MS, 8760);

  private static final List<Long> STEPS = List.of(10 * SECOND_MS, MINUTE_MS, HOUR_MS);

  @Option(
      names = "--widths",
      paramLabel = "N",
      split = ",",
      defaultValue = "116,200",
      description = "Values per row (default: ${DEFAULT-VALUE}).")
  private List<Integer> widths;

  @Option(
      names = "--fillfactor",
      paramLabel = "PERCENT",
      description = "Fill factor of ts (default: that of the migrations).")
  private Integer fillfactor;

  @Option(
      names = "--segments",
      paramLabel = "N",
      defaultValue = "20",
      description = "Segments of each archive (default: ${DEFAULT-VALUE}).")
  private int segments;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "10080",
      description = "Maximum slots of an archive (default: ${DEFAULT-VALUE}).")
  private int slots;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many times each archive wraps around (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Series that are inserted to measure the size of one (default: ${DEFAULT-VALUE}).")
  private int series;

  /**
   * One archive, alone in its table.
   *
   * @param values number of values
   */
  record Full(int width, long stepMs, int slots, long values, Size size) {}

  /**
   * Fixed storage per series.
   *
   * @param values per series, in all archives
   */
  record Known(int series, Size size, long values) {}

  /** All results. */
  record Result(int segments, int rounds, List<Full> archives, Known series) {}

  @Override
  public Integer call() throws SQLException, IOException {
    check();
    var progress = new Progress();
    try (Server server = server();
        Sql sql = server.connect()) {
      var archives = new ArrayList<Full>();
      for (int width : widths) {
        for (long stepMs : STEPS) {
          archives.add(fill(server, sql, width, stepMs, progress));
        }
      }
      var result = new Result(segments, rounds, archives, enter(server, sql));
      progress.done();
      if (json) {
        System.out.println(new ObjectMapper().writeValueAsString(result));
      } else {
        System.out.println(server.describe(sql));
        StorageTable.print(result);
      }
      return 0;
    }
  }

  private void check() {
    requireWidths(widths);
    require(
        fillfactor == null || (fillfactor >= 10 && fillfactor <= 100),
        "--fillfactor: " + fillfactor + " is not 10..100");
    requireBetween("--segments", segments, 1, 2000);
    requireAtLeast("--slots", slots, 1);
    requireAtLeast("--rounds", rounds, 1);
    requireBetween("--series", series, 1, 10_000_000);
  }

  private Full fill(Server server, Sql sql, int width, long stepMs, Progress progress)
      throws SQLException {
    int size = Math.min(slots, FULL.get(stepMs));
    var archive = new Archive("bench", stepMs, size, segments, width);
    server.resetTables(sql);
    if (fillfactor != null) {
      sql.execute("alter table ts set (fillfactor = %d)".formatted(fillfactor));
    }
    new Filling(server, sql, progress).rounds(archive, rounds);
    return new Full(width, stepMs, size, (long) archive.rows() * width, Size.of(sql));
  }

  private Known enter(Server server, Sql sql) throws SQLException {
    server.resetTables(sql);
    int width = widths.get(0);
    try (Sink sink = Sink.start(server, sql, Map.of())) {
      for (int from = 0; from < series; from += width) {
        var segment = new ArrayList<SinkRecord>();
        for (int n = from; n < Math.min(series, from + width); n++) {
          String name = "hosts.web%05d.cpu.usage_%02d".formatted(n / 100, n % 100);
          segment.add(Sink.series(name, n / width + 1, n % width + 1)); // 0, 1 has connected
        }
        sink.put(segment);
      }
    }
    long values = STEPS.stream().mapToLong(FULL::get).sum();
    return new Known(series, Size.of(sql, "ds"), values);
  }
}
