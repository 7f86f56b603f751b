package dev.rondo.bench.postgres.rows;

import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;

/** Physical layout of the rows of {@code ts}. */
public enum Layout {
  /** The layout of the migrations and the sink's defaults. */
  SHIPPED(116) {
    @Override
    public void prepare(Sql sql) {}

    @Override
    public Map<String, String> sinkConfig() {
      return Map.of();
    }
  },
  /** In order of arrival: full pages, no preallocated rows. */
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

  /** Default width of a segment. */
  public int width() {
    return width;
  }

  /** Applies the layout to an empty {@code ts}. */
  public abstract void prepare(Sql sql) throws SQLException;

  /** Additional config of the sink. */
  public abstract Map<String, String> sinkConfig();

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
