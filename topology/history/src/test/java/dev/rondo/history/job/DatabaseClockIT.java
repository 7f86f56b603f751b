package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.testbed.Database;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.CommandException;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseClockIT {
  @Test
  void shouldRefuseAClockThatIsFarFromThatOfPostgres() throws Exception {
    try (Database database = TestBed.database();
        Connection connection = database.connect()) {
      for (int s : new int[] {-50, 0, 50}) {
        assertThatCode(() -> DatabaseClock.check(connection, off(s))).doesNotThrowAnyException();
      }
      assertThatThrownBy(() -> DatabaseClock.check(connection, off(3600)))
          .isInstanceOf(CommandException.class)
          .hasMessageMatching(".* is (3600|3599) s ahead of PostgreSQL's, more than 60 s: .*");
      assertThatThrownBy(() -> DatabaseClock.check(connection, off(-3600)))
          .isInstanceOf(CommandException.class)
          .hasMessageMatching(".* is (3600|3599) s behind PostgreSQL's, more than 60 s: .*");
    }
  }

  private static Clock off(int seconds) {
    return Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds));
  }
}
