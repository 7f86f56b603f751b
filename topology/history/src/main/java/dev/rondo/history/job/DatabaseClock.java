package dev.rondo.history.job;

import dev.rondo.tools.command.CommandException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;

/** Compares the clock of a command with PostgreSQL's. */
final class DatabaseClock {
  /** Clocks may differ by so much. */
  static final Duration MOST = Duration.ofMinutes(1);

  private DatabaseClock() {}

  /** Refuses a clock by which slots seem closed that are open, or open that are closed. */
  static void check(Connection connection, Clock clock) throws SQLException {
    long beforeMs = clock.millis();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("select 1000 * extract(epoch from clock_timestamp())")) {
      result.next();
      long theirsMs = result.getLong(1);
      refuse("ahead of", beforeMs - theirsMs);
      refuse("behind", theirsMs - clock.millis());
    }
  }

  private static void refuse(String where, long differenceMs) {
    if (differenceMs > MOST.toMillis()) {
      throw CommandException.refused(
          "the clock of this machine is %d s %s PostgreSQL's, more than %d s: slots that are"
                  .formatted(differenceMs / 1000, where, MOST.toSeconds())
              + " still open could not be told from closed ones; set it right");
    }
  }
}
