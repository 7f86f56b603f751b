package dev.rondo.bench.postgres;

import dev.rondo.bench.ProcessCpu;
import dev.rondo.bench.postgres.rows.Sink;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;

/** Passes records to a sink and sums the cost, without the cost of creating the records. */
final class Meter {
  private final Sql sql;
  private final Server server;
  private final Sink sink;
  private final Position begin;
  private long rows;
  private long values;
  private long nanos;
  private double clientCpu;

  private Meter(Server server, Sql sql, Sink sink) throws SQLException {
    this.server = server;
    this.sql = sql;
    this.sink = sink;
    this.begin = Position.of(server, sql);
  }

  static Meter start(Server server, Sql sql, Sink sink) throws SQLException {
    return new Meter(server, sql, sink);
  }

  /**
   * @param valuesPerRow positions written per row
   */
  void put(List<SinkRecord> records, int valuesPerRow) {
    double cpu = ProcessCpu.ofThis();
    long start = System.nanoTime();
    sink.put(records);
    nanos += System.nanoTime() - start;
    clientCpu += ProcessCpu.ofThis() - cpu;
    rows += records.size();
    values += (long) records.size() * valuesPerRow;
  }

  /** Closes the sink; returns its cost since the start. */
  Cost stop() throws SQLException {
    sink.close();
    Position end = Position.of(server, sql);
    return new Cost(
        rows,
        values,
        nanos / 1e9,
        clientCpu,
        end.serverCpu - begin.serverCpu,
        end.walBytes - begin.walBytes,
        end.updates - begin.updates,
        end.hotUpdates - begin.hotUpdates);
  }

  private record Position(double serverCpu, long walBytes, long updates, long hotUpdates) {
    static Position of(Server server, Sql sql) throws SQLException {
      List<String> row =
          sql.rows(
                  "select pg_current_wal_insert_lsn() - '0/0', n_tup_upd, n_tup_hot_upd"
                      + " from pg_stat_user_tables where relid = 'ts'::regclass")
              .get(0);
      return new Position(
          server.cpuSeconds(),
          Long.parseLong(row.get(0)),
          Long.parseLong(row.get(1)),
          Long.parseLong(row.get(2)));
    }
  }
}
