package dev.rondo.bench.postgres;

import dev.rondo.bench.postgres.rows.Archive;
import dev.rondo.bench.postgres.rows.Part;
import dev.rondo.bench.postgres.rows.Phase;
import dev.rondo.bench.postgres.rows.Rows;
import dev.rondo.bench.postgres.rows.Sink;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Size;
import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;

/** Runs all phases on one archive, one after the other, for a given time each. */
final class Writing {
  /** Partitions of a task that is behind. */
  private static final int PARTITIONS = 16;

  private final Server server;
  private final Sql sql;
  private final Archive archive;
  private final double leastSeconds;
  private final int tasks;
  private int round;

  Writing(Server server, Sql sql, Archive archive, double leastSeconds, int tasks) {
    this.server = server;
    this.sql = sql;
    this.archive = archive;
    this.leastSeconds = leastSeconds;
    this.tasks = tasks;
  }

  /** Cost of a phase, and the size of the table after it. */
  record Measured(Cost cost, Size size) {}

  Map<Phase, Measured> run(java.util.function.Consumer<Phase> begun) throws SQLException {
    var measured = new EnumMap<Phase, Measured>(Phase.class);
    for (Phase phase : Phase.values()) {
      if (phase.part().of(archive.width()) == 0) {
        continue; // one value has no other half
      }
      begun.accept(phase);
      Cost cost = Cost.NONE;
      do {
        prepare(phase);
        cost = cost.plus(deliver(phase));
      } while (cost.seconds() < leastSeconds);
      measured.put(phase, new Measured(cost, Size.of(sql)));
    }
    return measured;
  }

  private void prepare(Phase phase) throws SQLException {
    switch (phase) {
      case INSERT -> sql.execute("truncate ts");
      case MERGE -> {
        round++;
        try (Sink sink = sink()) {
          for (int i = 0; i < archive.size(); i++) {
            sink.put(new Rows(archive).slot(round, i, 0, archive.segments(), Part.ODD));
          }
        }
      }
      case AGAIN -> {}
      case REPLACE, BEHIND -> round++;
    }
    sql.execute("checkpoint"); // full-page writes follow, as after every checkpoint
  }

  private Cost deliver(Phase phase) throws SQLException {
    Meter meter = Meter.start(server, sql, sink());
    int valuesPerRow = phase.part().of(archive.width());
    var rows = new Rows(archive);
    if (phase == Phase.BEHIND) {
      deliverBehind(meter, rows, valuesPerRow);
    } else {
      for (int i = 0; i < archive.size(); i++) {
        meter.put(rows.slot(round, i, 0, archive.segments(), phase.part()), valuesPerRow);
      }
    }
    return meter.stop();
  }

  /** Partition by partition: a put contains many slots of few segments. */
  private void deliverBehind(Meter meter, Rows rows, int valuesPerRow) {
    int step = Math.max(1, (archive.segments() + PARTITIONS - 1) / PARTITIONS);
    List<SinkRecord> put = new ArrayList<>();
    for (int from = 0; from < archive.segments(); from += step) {
      for (int i = 0; i < archive.size(); i++) {
        int to = Math.min(archive.segments(), from + step);
        put.addAll(rows.slot(round, i, from, to, Part.ALL));
        if (put.size() + step > archive.segments()) {
          meter.put(put, valuesPerRow);
          put = new ArrayList<>();
        }
      }
    }
    if (!put.isEmpty()) {
      meter.put(put, valuesPerRow);
    }
  }

  private Sink sink() {
    return Sink.start(server, sql, Map.of(), tasks);
  }
}
