package dev.rondo.history.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackfillCommandTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --rate 1                              | give topics, or files (--topic, --file)
          --topic old --file LINES              | give topics, or files (--topic, --file)
          --file LINES                          | files hold lines of graphite, influx, putval or json, not of an unknown format (--format)
          --file LINES --format otlp            | files hold lines of graphite, influx, putval or json, not of otlp (--format)
          --file nowhere --format graphite      | there is no readable file nowhere (--file)
          --file LINES --format json --rate -1  | -1 points/s are less than 0 (--rate)
          pause --jobs DIR                      | there is no job in DIR that is not over
          resume 1 --jobs DIR                   | there is no job '1' in DIR
          """)
  void shouldReportWrongUsage(String arguments, String message) throws IOException {
    Path lines = Files.writeString(dir.resolve("lines"), "a 1 1700000000\n");

    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new BackfillCommand()),
            arguments
                .replace("LINES", lines.toString())
                .replace("DIR", dir.toString())
                .split(" +"));

    assertThat(run.errors()).contains(message.replace("DIR", dir.toString()));
    assertThat(run.code()).isEqualTo(2);
  }
}
