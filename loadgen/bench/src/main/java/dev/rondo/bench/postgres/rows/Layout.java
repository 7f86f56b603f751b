package dev.rondo.bench.postgres.rows;

import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;

/** Where the rows of {@code ts} lie. */
public enum Layout {
  /** As the migrations and the sink's defaults make it. */
  SHIPPED(116) {
    @Override
    public void prepare(Sql sql) {}

    @Override
    public Map<String, String> sinkConfig() {
      return Map.of();
    }
  },
  /** As rows come: one after the other, pages full, nothing reserved. */
  IN_ORDER_OF_TIME(200) {
    @Override
    public void prepare(Sql sql) throws SQLException {
      sql.execute("alter table ts set (fillfactor = 100), alter dp set storage extended");
    }

    @Override
    public Map<String, String> sinkConfig() {
      return Map.of("preallocate.slots", "0");
    }
  };

  private final int width;

  Layout(int width) {
    this.width = width;
  }

  /** Default width of a segment in it. */
  public int width() {
    return width;
  }

  /** Makes an empty {@code ts} be so. */
  public abstract void prepare(Sql sql) throws SQLException;

  /** What the sink is told besides. */
  public abstract Map<String, String> sinkConfig();

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
