package dev.rondo.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The script prints help from a file, as nothing may be built yet: it must equal picocli's text.
 */
class HelpTest {
  @Test
  void shouldBeAsPicocliSays() throws IOException {
    String usage = Loadgen.commandLine().getUsageMessage();
    Path made = Path.of("target/help/loadgen.txt");
    Files.createDirectories(made.getParent());
    Files.writeString(made, usage);

    assertThat(Path.of("../../deploy/local/help/loadgen.txt"))
        .as(
            "if the change is intended, copy loadgen/generate/target/help/loadgen.txt to deploy/local/help/")
        .exists()
        .hasContent(usage);
  }
}
