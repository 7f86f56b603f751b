package dev.rondo.history.whisper;

import dev.rondo.history.slots.SlotWriter;
import dev.rondo.tools.command.PastTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Compares the slots that a file promises with those that PostgreSQL shows. */
final class Comparison {
  private static final double TOLERANCE = 1e-9;

  private static final String SHOWN =
      """
      select tv.t, tv.r
      from ds
      join tv on tv.ds_id = ds.id
      join rra_bundle as b on b.id = tv.rra_bundle_id
      where ds.ident = rondo_ident(?) and b.policy = ? and b.cf = ? and b.step_ms = ? and b.size = ?
        and tv.r is not null
      """;

  private final int maxShown;
  private final List<String> differences = new ArrayList<>();
  private long equal;
  private long missing;
  private long wrong;

  Comparison(int maxShown) {
    this.maxShown = maxShown;
  }

  /**
   * Compares slots of one archive of a series.
   *
   * @param pos position of the series in them
   */
  void of(Connection connection, String ident, int pos, List<SlotWriter.Slots> expected)
      throws SQLException {
    if (expected.isEmpty()) {
      return;
    }
    Map<Long, Double> shown = shown(connection, ident, expected.get(0));
    for (SlotWriter.Slots slot : expected) {
      double value = slot.values()[pos - 1];
      Double other = shown.get(slot.endMs());
      if (other == null) {
        missing++;
      } else if (isSame(value, other)) {
        equal++;
        continue;
      } else {
        wrong++;
      }
      if (differences.size() < maxShown) {
        differences.add(
            "  %s: %s of %s, slot until %s: %s, in the file %s"
                .formatted(
                    ident,
                    slot.archive().function().key(),
                    slot.policy().name(),
                    PastTime.show(slot.endMs()),
                    other == null ? "unknown" : other,
                    value));
      }
    }
  }

  private static Map<Long, Double> shown(Connection connection, String ident, SlotWriter.Slots any)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SHOWN)) {
      statement.setString(1, ident);
      statement.setString(2, any.policy().name());
      statement.setString(3, any.archive().function().key());
      statement.setLong(4, any.archive().shape().stepMs());
      statement.setInt(5, any.archive().shape().size());
      Map<Long, Double> shown = new HashMap<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          shown.put(result.getTimestamp(1).getTime(), result.getDouble(2));
        }
      }
      return shown;
    }
  }

  private static boolean isSame(double value, double other) {
    return Math.abs(value - other) <= TOLERANCE * Math.max(Math.abs(value), Math.abs(other));
  }

  boolean isClean() {
    return missing + wrong == 0;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT, "slots: %,d equal, %,d missing, %,d wrong", equal, missing, wrong));
    lines.addAll(differences);
    return lines;
  }
}
