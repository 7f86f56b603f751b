package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The script shows help before anything is built: from files that must say what picocli says. */
class HelpTest {
  private static final Path HELP = Path.of("help");

  @ParameterizedTest
  @MethodSource("commands")
  void shouldBeAsPicocliSays(String command) throws IOException {
    shouldBe(command, Rondo.commandLine().getSubcommands().get(command));
  }

  private static void shouldBe(String command, CommandLine described) throws IOException {
    String usage = described.getUsageMessage();
    Path generated = Path.of("target/help", command + ".txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);

    assertThat(HELP.resolve(command + ".txt"))
        .as("copy target/help/*.txt to help/")
        .hasContent(usage);
  }

  @Test
  void shouldListEveryCommand() throws IOException {
    String overview = Files.readString(HELP.resolve("rondo.txt"));
    assertThat(commands()).allSatisfy(command -> assertThat(overview).contains("\n  " + command));
  }

  static Collection<String> commands() {
    return Rondo.commandLine().getSubcommands().keySet();
  }
}
