package dev.rondo.connect.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.errors.NoConnectionException;
import dev.rondo.embedded.secured.ClearTextListener;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What somebody learns who listens in the server's place. */
class StolenPasswordTest {
  @Test
  void shouldNotSendThePasswordInClearText() {
    try (var thief = ClearTextListener.start()) {
      assertThatThrownBy(() -> connect(thief, "")).isInstanceOf(NoConnectionException.class);
      assertThat(thief.connected()).hasSize(1);
      assertThat(thief.passwords()).isEmpty();
    }
  }

  @Test
  void shouldSendItToAServerThatIsSetToAskForIt() {
    try (var server = ClearTextListener.start()) {
      assertThatThrownBy(() -> connect(server, "?requireAuth=password"))
          .isInstanceOf(NoConnectionException.class); // it says no more than that it wants one
      assertThat(server.passwords()).containsExactly("secret");
    }
  }

  private static void connect(ClearTextListener server, String parameters) throws Exception {
    var config =
        PostgresSinkConfig.of(
            Map.of(
                "connection.url",
                "jdbc:postgresql://127.0.0.1:%d/rondo%s".formatted(server.port(), parameters),
                "connection.user",
                "sink",
                "connection.password",
                "secret"));
    try (var database = new Database(config)) {
      database.connection();
    }
  }
}
