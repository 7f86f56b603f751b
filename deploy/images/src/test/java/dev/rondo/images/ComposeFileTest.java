package dev.rondo.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class ComposeFileTest {
  /** Libraries unpack native code there, and Docker mounts a tmpfs noexec by default. */
  @Test
  void shouldLetNativeCodeRunFromTmp() throws Exception {
    Map<String, Map<String, Map<String, Object>>> file =
        new Yaml().load(Files.readString(Path.of("../compose/compose.yaml")));
    assertThat(file.get("services"))
        .isNotEmpty()
        .allSatisfy(
            (name, service) -> assertThat(service.get("tmpfs")).isEqualTo(List.of("/tmp:exec")));
  }
}
