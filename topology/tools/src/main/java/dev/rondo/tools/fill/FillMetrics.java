package dev.rondo.tools.fill;

import com.sun.net.httpserver.HttpExchange;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.http.HttpService;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * {@code GET /metrics}: how far the archives are that are being filled, as Prometheus text; 503
 * without PostgreSQL. Read from the tables at each request, so that a process that hangs is seen.
 */
final class FillMetrics implements AutoCloseable {
  private static final String SQL =
      """
      select concat_ws(' ', b.policy, b.cf, b.step_ms),
             count(s.seg) filter (where not s.finished),
             extract(epoch from now() - f.started),
             extract(epoch from now() - f.progressed)
      from archive_fill as f
      join rra_bundle as b on b.id = f.rra_bundle_id
      left join segment_fill as s using (rra_bundle_id)
      where f.finished is null
      group by b.id, f.rra_bundle_id
      order by b.id
      """;

  private static final String[] NAMES = {
    "rondo_fill_open_segments", "rondo_fill_age_seconds", "rondo_fill_progress_age_seconds"
  };

  private static final String[] HELP = {
    "Segments of the archive that are not filled yet",
    "Time since the fill of the archive began",
    "Time since a segment of the archive was last filled a bit further"
  };

  private final HttpService service;

  /** Connects to the database. */
  @FunctionalInterface
  interface Source {
    Connection connect() throws IOException, SQLException;
  }

  private FillMetrics(HttpService service) {
    this.service = service;
  }

  /**
   * Starts to listen.
   *
   * @param port 0 = any free port
   */
  static FillMetrics start(String host, int port, Source database) {
    try {
      return new FillMetrics(
          HttpService.start(
              host,
              port,
              "--metrics-host, --metrics-port",
              Map.of("/metrics", exchange -> answer(exchange, database))));
    } catch (IOException e) {
      throw CommandException.refused(e.getMessage());
    }
  }

  int port() {
    return service.port();
  }

  private static void answer(HttpExchange exchange, Source database) throws IOException {
    int status = 200;
    String text;
    try {
      text = text(database);
    } catch (SQLException e) {
      status = 503;
      text = "PostgreSQL failed: %s%n".formatted(e.getMessage());
    }
    HttpService.answer(exchange, status, "text/plain; version=0.0.4", text);
  }

  private static String text(Source database) throws IOException, SQLException {
    var samples = new StringBuilder[NAMES.length];
    for (int n = 0; n < NAMES.length; n++) {
      samples[n] =
          new StringBuilder("# HELP %s %s\n# TYPE %1$s gauge\n".formatted(NAMES[n], HELP[n]));
    }
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(SQL)) {
      while (result.next()) {
        String archive = result.getString(1).replace("\\", "\\\\").replace("\"", "\\\"");
        for (int n = 0; n < NAMES.length; n++) {
          samples[n].append(
              "%s{archive=\"%s\"} %s%n"
                  .formatted(NAMES[n], archive.replace("\n", "\\n"), result.getDouble(n + 2)));
        }
      }
    }
    return String.join("", samples);
  }

  @Override
  public void close() {
    service.close();
  }
}
