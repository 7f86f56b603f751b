package dev.rondo.local;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.local.state.HttpProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rondo up --token}: who has the file may ask, also the commands of the same user. */
class TokenIT {
  @TempDir Path temporary;
  private RondoScript rondo;

  @AfterEach
  void down() throws Exception {
    rondo.run("down");
  }

  @Test
  void shouldShowItsPictureAndTellWhereTheTokenIs() throws Exception {
    rondo = new RondoScript(temporary.resolve("data"));
    var up = rondo.up("--token");
    assertThat(up.output()).contains("% of the last 10 minutes");

    JsonNode status = rondo.status();
    Path token = Path.of(status.get("apiToken").asText());
    assertThat(Files.getPosixFilePermissions(token)).isEqualTo(fromString("rw-------"));
    String find = status.get("api").asText() + "/metrics/find?query=*";
    assertThatThrownBy(() -> HttpProbe.get(find)).hasMessageContaining("401");
    assertThat(HttpProbe.get(find, Files.readString(token).strip())).contains("hosts");
  }
}
