package dev.rondo.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
  @TempDir Path dir;

  /** The script ./rondo shows this help before the first build, so it has a copy. */
  @Test
  void shouldMatchTheHelpOfTheScript() throws IOException {
    String usage = ReplayCommand.commandLine().getUsageMessage();
    Path generated = Path.of("target/help/replay.txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);
    assertThat(Path.of("../../deploy/local/help/replay.txt"))
        .as("copy topology/tools/target/help/replay.txt to deploy/local/help/")
        .hasContent(usage);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --from 1h                                     | Missing required option: '--topic
          --topic points                                | Missing required argument
          --topic points --from 1h --to-earliest        | mutually exclusive
          --topic points --to-earliest --config FILE --dir x | mutually exclusive
          --topic points --to-earliest --config nowhere | there is no readable file nowhere (--config)
          --topic points --to-earliest --dir nowhere    | there is no readable file nowhere/topology/topology.properties (--dir, --config)
          --topic points --to-earliest                  | the topology's settings are missing (--config)
          --topic pints --to-earliest --config FILE     | topic 'pints' is not one of the sources [points]: did you mean 'points'? (--topic)
          --topic points --from never --config FILE     | 'never' is not a time
          --topic points --offsets 0 --config FILE      | '0' is not PARTITION:OFFSET
          """)
  void shouldReportWrongUsage(String arguments, String message) throws IOException {
    Path file = dir.resolve("topology.properties");
    Files.writeString(file, "bootstrap.servers=nowhere:1\nstate.dir=state\n");
    var printed = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int code =
          ReplayCommand.commandLine()
              .execute(arguments.replace("FILE", file.toString()).split(" +"));
      assertThat(printed.toString(StandardCharsets.UTF_8))
          .contains(message)
          .endsWith("; ./rondo replay --help\n");
      assertThat(code).isEqualTo(2);
    } finally {
      System.setErr(err);
    }
  }
}
