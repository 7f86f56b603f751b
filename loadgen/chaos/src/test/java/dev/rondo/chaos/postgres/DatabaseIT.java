package dev.rondo.chaos.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.testbed.TestBed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseIT {
  @Test
  void shouldSayWhatWasAnsweredInsteadWhenAWaitEnds() throws Exception {
    try (var database = TestBed.emptyDatabase()) {
      PostgresUrl url = PostgresUrl.parse(database.url("rondo"));
      Database.await(url, "select 1", "1");
      assertThatThrownBy(() -> Database.await(url, "select 2", "1", Duration.ofMillis(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("answers [2], not '1'")
          .hasMessageEndingWith("select 2");
    }
  }
}
