package dev.rondo.bench.postgres.server;

import java.sql.SQLException;

/** Vacuums by a simulated clock: called once per simulated minute, autovacuum's naptime. */
public final class Autovacuum {
  private static final String DUE =
      """
      select n_dead_tup > setting('autovacuum_vacuum_threshold')
               + setting('autovacuum_vacuum_scale_factor') * greatest(reltuples, 0)
          or n_ins_since_vacuum > setting('autovacuum_vacuum_insert_threshold')
               + setting('autovacuum_vacuum_insert_scale_factor') * greatest(reltuples, 0)
      from pg_class join pg_stat_user_tables on relid = pg_class.oid
      where relid = 'ts'::regclass
      """
          .replaceAll(
              "setting\\('(\\w+)'\\)",
              """
              coalesce((select option_value from pg_options_to_table(reloptions) where option_name = '$1'),
                       current_setting('$1'))::float8""");

  private Autovacuum() {}

  /** Vacuums if autovacuum's rule requires it; returns whether it did. */
  public static boolean run(Sql sql) throws SQLException {
    boolean due = sql.text(DUE).equals("t");
    if (due) {
      sql.execute("vacuum (analyze) ts");
    }
    return due;
  }
}
