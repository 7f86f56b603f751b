package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Pads the rows of chunks to a greater capacity. A row that grows moves to another page, so the
 * rows of a chunk move together. Their values stay.
 */
public final class GrowChunks {
  static final String SQL =
      """
      update ts
      set dp = dp || array_fill(double precision 'NaN', array[c.capacity - cardinality(dp)])
      from
      """
          + Chunk.UNNEST
          + """
      where ts.rra_bundle_id = c.bundle and ts.seg = c.seg and ts.i between c.first and c.last
        and cardinality(ts.dp) < c.capacity
      """;

  private GrowChunks() {}

  public static void execute(Connection connection, List<Chunk> chunks) throws SQLException {
    Chunk.execute(connection, SQL, chunks);
  }
}
