package dev.rondo.bench.postgres.server;

import java.sql.SQLException;
import java.util.Locale;

/** How {@code ts.dp} is stored. */
public enum Storage {
  /** As the migrations set it. */
  SHIPPED(""),
  /** In the row, uncompressed. */
  PLAIN("set (toast_tuple_target = 8160), alter dp set storage plain"),
  /** In the row, compressed if shorter. */
  MAIN_LZ4(
      "set (toast_tuple_target = 2032), alter dp set storage main, alter dp set compression lz4"),
  MAIN_PGLZ(
      "set (toast_tuple_target = 2032), alter dp set storage main, alter dp set compression pglz"),
  /** In the TOAST table if the row exceeds 2 KB. */
  EXTERNAL("set (toast_tuple_target = 2032), alter dp set storage external"),
  /** The same, compressed if shorter; PostgreSQL's default. */
  EXTENDED_LZ4(
      "set (toast_tuple_target = 2032), alter dp set storage extended, alter dp set compression lz4"),
  EXTENDED_PGLZ(
      "set (toast_tuple_target = 2032), alter dp set storage extended, alter dp set compression pglz");

  /** Rows larger than this are compressed or moved to TOAST if their storage allows it; bytes. */
  public static final int TOAST_BYTES = 2032;

  private final String alteration;

  Storage(String alteration) {
    this.alteration = alteration;
  }

  /** Whether the server was built with the compression. */
  public boolean isKnownTo(Sql sql) throws SQLException {
    return !name().endsWith("LZ4")
        || sql.text(
                "select 'lz4' = any(enumvals) from pg_settings where name = 'default_toast_compression'")
            .equals("t");
  }

  /** The statement; null if nothing changes. */
  public String sql() {
    return alteration.isEmpty() ? null : "alter table ts " + alteration;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
