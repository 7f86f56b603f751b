package dev.rondo.bench.postgres.server;

import java.lang.management.ManagementFactory;
import java.sql.SQLException;

/** One line that describes machine and server. */
public final class Machine {
  private Machine() {}

  public static String describe(Server server, Sql sql) throws SQLException {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return "%d cores, load %.1f; OpenJDK %s; PostgreSQL %s, shared_buffers %s%s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            load,
            Runtime.version(),
            sql.text("show server_version"),
            sql.text("show shared_buffers"),
            server.isOwn() ? "" : " (given)");
  }
}
