package dev.rondo.bench.postgres;

import dev.rondo.bench.BenchCommand;
import dev.rondo.bench.postgres.server.Server;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Option;

/** A command that measures PostgreSQL alone: a server of its own, or a given one. */
abstract class PostgresCommand extends BenchCommand {
  private static final int MAX_WIDTH = 1000; // 8 bytes each: a row in a page of 8 KB

  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description =
          "Use this database instead of starting a server, in a schema rondo_bench that is "
              + "created and dropped: postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE.")
  private String postgres;

  /** Opens the server. */
  final Server server() throws IOException, SQLException {
    return Server.open(postgres);
  }

  /** Requires that rows of these widths can be measured. */
  final void requireWidths(List<Integer> widths) {
    widths.forEach(width -> requireBetween("--widths", width, 1, MAX_WIDTH));
  }
}
