package dev.rondo.tools.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

class SizeCommandTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --interval=10                            | Missing required option: '--series=N'
          --series=0                               | 0 is not between 1 and 1000000000 (--series)
          --series=1 --interval=0                  | 0 is not between 0.1 and 3600 (--interval)
          --series=1 --interval=soon               | 'soon' is neither seconds nor a length of time
          --series=1 --retention=1s                | 1 is not between 60 and 315360000 (--retention)
          --series=1 --busy=101                    | 101 is not between 10 and 100 (--busy)
          --series=1 --archives=10s                | '10s' is not [function:]step:span[:xff]
          --series=1 --archives=10s:6h,25s:100s    | step 25s is not a multiple
          --series=1 --policies=missing.yaml       | missing.yaml
          --series=1 --policy=none                 | 'none' is not one of the policies increments, default
          --series=1000000000                      | (--heap)
          """)
  void shouldNameWhatToChange(String options, String expected) {
    CommandRun run = execute(options.strip().split(" +"));

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errors()).contains(expected);
  }

  @Test
  void shouldAskWhichPolicyOfSeveral() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("policies.yaml"),
            """
            policies:
              - {name: fine, match: 'fine', step: 1s, archives: ["1s:1h"]}
              - {name: rest, match: '.*', step: 1m, archives: ["1m:7d", "max:1m:7d"]}
            """);

    CommandRun without = execute("--series=60", "--policies=" + file);
    assertThat(without.code()).isEqualTo(ExitCode.USAGE);
    assertThat(without.errors()).contains("fine, rest");
    CommandRun with = execute("--series=60", "--policies=" + file, "--policy=rest", "--json");
    assertThat(with.code()).isZero();
    JsonNode printed = new ObjectMapper().readTree(with.printed());
    assertThat(printed.at("/needs/values").asDouble()).isEqualTo(2);
  }

  @Test
  void shouldPrintEachPartAndItsLimits() {
    CommandRun run = execute("--series=10000000", "--interval=10");

    assertThat(run.code()).isZero();
    assertThat(run.printed())
        .contains("1,000,000 points/s")
        .contains("Topology", "Kafka", "Connect", "PostgreSQL", "Query API", "Settings", "Limits")
        .contains("10s:6h", "1m:7d", "1h:1y", "max.series");
  }

  @Test
  void shouldTakeLengthsOfTime() throws IOException {
    JsonNode given =
        new ObjectMapper()
            .readTree(
                execute("--series=60", "--interval=500ms", "--retention=2h", "--json").printed());

    assertThat(given.at("/needs/points").asDouble()).isEqualTo(120);
    assertThat(given.at("/deployment/retentionSeconds").asDouble()).isEqualTo(7_200);
  }

  @Test
  void shouldSayHowSureItIs() {
    String printed = execute("--series=1000000").printed();

    assertThat(printed.substring(printed.indexOf("How sure")))
        .contains(Coefficients.FILE.machine())
        .contains("./rondo bench ingest", "./rondo bench scale", "of PostgreSQL 75 %", "assumed");
  }

  private static CommandRun execute(String... options) {
    return CommandRun.of(Commands.commandLine(new SizeCommand()), options);
  }
}
