package dev.rondo.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The script shows help before anything is built: from a file that must say what picocli says. */
class HelpTest {
  @Test
  void shouldBeAsPicocliSays() throws IOException {
    String usage = Loadgen.commandLine().getUsageMessage();
    Path made = Path.of("target/help/loadgen.txt");
    Files.createDirectories(made.getParent());
    Files.writeString(made, usage);

    assertThat(Path.of("../../deploy/local/help/loadgen.txt"))
        .as("where the change is meant: copy loadgen/generate/target/help/loadgen.txt to deploy/local/help/")
        .exists()
        .hasContent(usage);
  }
}
