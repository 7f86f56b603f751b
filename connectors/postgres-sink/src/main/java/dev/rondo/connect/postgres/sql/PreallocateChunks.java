package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Inserts the missing rows of chunks, ordered by index, before their slots arrive. A preallocated
 * row has no values and ends at {@code -infinity}. Existing rows are not changed.
 */
public final class PreallocateChunks {
  static final String SQL =
      """
      insert into ts (rra_bundle_id, seg, i, t, dp)
      select bundle, seg, i, '-infinity', array_fill(double precision 'NaN', array[capacity])
      from (select bundle, seg, i, capacity from
      """
          + Chunk.UNNEST
          + """
              cross join generate_series(c.first, c.last) as i
              order by n, i) as missing
      on conflict do nothing
      """;

  private PreallocateChunks() {}

  public static void execute(Connection connection, List<Chunk> chunks) throws SQLException {
    Chunk.execute(connection, SQL, chunks);
  }
}
