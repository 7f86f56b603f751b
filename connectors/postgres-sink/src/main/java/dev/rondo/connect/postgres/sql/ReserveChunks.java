package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes the rows that chunks lack, in order of their index and before they are needed: a reserved
 * row has no values, and ends before all time. Rows that are there stay as they are.
 */
public final class ReserveChunks {
  static final String SQL =
      """
      insert into ts (rra_bundle_id, seg, i, t, dp)
      select bundle, seg, i, '-infinity', array_fill(double precision 'NaN', array[capacity])
      from (select bundle, seg, i, capacity from
      """
          + Chunk.UNNEST
          + """
              cross join generate_series(c.first, c.last) as i
              order by n, i) as reserved
      on conflict do nothing
      """;

  private ReserveChunks() {}

  public static void execute(Connection connection, List<Chunk> chunks) throws SQLException {
    Chunk.execute(connection, SQL, chunks);
  }
}
