package dev.rondo.tools.policies;

import dev.rondo.topology.policy.Spans;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** How far archives that were added later are filled. */
final class FillProgress {
  private static final String PROGRESS =
      """
      select b.policy, b.cf, b.step_ms, b.step_ms * b.size,
             count(s.seg) filter (where s.finished), count(s.seg),
             f.slots, coalesce(f.first, f.until), f.until,
             extract(epoch from now() - f.started)::bigint,
             extract(epoch from now() - f.progressed)::bigint,
             extract(epoch from now() - f.finished)::bigint
      from archive_fill as f
      join rra_bundle as b on b.id = f.rra_bundle_id
      left join segment_fill as s using (rra_bundle_id)
      where (f.finished is null or f.slots > 0) and b.id in (select id from live_archive)
      group by b.id, f.rra_bundle_id
      order by f.started, b.id
      """;

  private static final String MOVED =
      """
      select policy, count(*) filter (where fill = 'done'), count(*) filter (where fill = 'open'),
             count(*) filter (where fill is null)
      from location_period as s
      where number > 0 and fill is distinct from 'none'
        and exists (select from ds where ds.policy = s.policy)
      group by policy
      order by policy
      """;

  private FillProgress() {}

  /** A line for each archive that is filled or was, with its progress and age. */
  static List<String> lines(Connection connection) throws SQLException {
    var lines = new ArrayList<String>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(PROGRESS)) {
      while (result.next()) {
        String title =
            "%s %s:%s:%s"
                .formatted(
                    result.getString(1),
                    result.getString(2),
                    Spans.format(result.getLong(3)),
                    Spans.format(result.getLong(4)));
        long finished = result.getLong(12);
        String how =
            result.wasNull()
                ? "%d of %d segments, %d slots so far, started %s ago, last progress %s ago"
                    .formatted(
                        result.getLong(5),
                        result.getLong(6),
                        result.getLong(7),
                        span(result.getLong(10)),
                        span(result.getLong(11)))
                : "filled %s ago, %d slots, from %s to %s"
                    .formatted(
                        span(finished),
                        result.getLong(7),
                        result.getTimestamp(8).toInstant(),
                        result.getTimestamp(9).toInstant());
        lines.add("%s: %s".formatted(title, how));
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(MOVED)) {
      while (result.next()) {
        lines.add(
            "%s, series that moved there: %d filled, %d being filled, %d not looked at yet"
                .formatted(
                    result.getString(1), result.getLong(2), result.getLong(3), result.getLong(4)));
      }
    }
    if (lines.isEmpty()) {
      lines.add("no archive was filled");
    }
    return lines;
  }

  /** In the largest unit of which there is one. */
  private static String span(long seconds) {
    long rounded =
        seconds < 60 ? seconds : seconds < 3600 ? seconds / 60 * 60 : seconds / 3600 * 3600;
    return rounded == 0 ? "0s" : Spans.format(rounded * 1000);
  }
}
