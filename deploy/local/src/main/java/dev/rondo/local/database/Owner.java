package dev.rondo.local.database;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.UserError;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** Identifies the Rondo that owns the series in a database by the topics in its sink's offsets. */
public final class Owner {
  private static final String OTHER_TOPICS =
      """
      select string_agg(distinct topic, ', ' order by topic) from applied_offset
      where not topic = any (?)
      """;

  private Owner() {}

  /**
   * Checks that the series do not belong to another Rondo: both would overwrite each other's rows.
   *
   * @throws UserError that names its topics
   */
  public static void check(PostgresUrl postgres, TopicNames names) {
    List<String> own =
        Stream.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.EVENTS)
            .map(topic -> names.of(topic).name())
            .toList();
    try (var connection = postgres.connect("rondo-up");
        var statement = connection.prepareStatement(OTHER_TOPICS)) {
      statement.setArray(1, connection.createArrayOf("text", own.toArray()));
      try (var result = statement.executeQuery()) {
        result.next();
        String others = result.getString(1);
        if (others != null) {
          throw new UserError(
              ("%s has the series of another Rondo, from the topics %s, not %s: give each Rondo its"
                      + " own database (--postgres), or use the prefix of the other (--prefix)")
                  .formatted(postgres.shown(), others, String.join(", ", own)));
        }
      }
    } catch (SQLException e) {
      throw new UserError(
          "could not read the sink's offsets in %s: %s"
              .formatted(postgres.shown(), e.getMessage()));
    }
  }
}
