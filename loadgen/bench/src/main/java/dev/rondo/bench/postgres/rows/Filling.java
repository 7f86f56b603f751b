package dev.rondo.bench.postgres.rows;

import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.server.Autovacuum;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.Map;

/** Writes an archive through the sink slot by slot, and vacuums as autovacuum would. */
public final class Filling {
  private static final int SLOTS_A_VACUUM = 360;

  private final Server server;
  private final Sql sql;
  private final Map<String, String> sinkConfig;
  private final Progress progress;

  /** Connects a sink to the server. */
  public Filling(Server server, Sql sql, Progress progress) {
    this.server = server;
    this.sql = sql;
    this.progress = progress;
    String url = server.sinkConfig().get("connection.url");
    sinkConfig = Map.of("connection.url", url + "&options=-c%20synchronous_commit=off"); // faster
  }

  /** Writes {@code archive} for a number of rounds. */
  public void rounds(Archive archive, int rounds) throws SQLException {
    for (int round = 0; round < rounds; round++) {
      round(archive, round);
    }
  }

  private void round(Archive archive, int round) throws SQLException {
    var rows = new Rows(archive);
    for (int from = 0; from < archive.size(); from += SLOTS_A_VACUUM) {
      try (Sink sink = Sink.start(server, sql, sinkConfig)) {
        for (int i = from; i < Math.min(archive.size(), from + SLOTS_A_VACUUM); i++) {
          sink.put(rows.slot(round, i, 0, archive.segments(), Part.ALL));
        }
      }
      Autovacuum.run(sql);
      progress.show(
          "width %d, slots of %d s, round %d"
              .formatted(archive.width(), archive.stepMs() / 1000, round + 1),
          from,
          archive.size());
    }
  }
}
