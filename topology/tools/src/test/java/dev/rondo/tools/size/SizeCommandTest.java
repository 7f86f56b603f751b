package dev.rondo.tools.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import picocli.CommandLine.ExitCode;

class SizeCommandTest {
  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** The script ./rondo shows this help before the first build, so it has a copy. */
  @Test
  void shouldMatchTheHelpOfTheScript() throws IOException {
    String usage = SizeCommand.commandLine().getUsageMessage();
    Path generated = Path.of("target/help/size.txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);
    assertThat(Path.of("../../deploy/local/help/size.txt"))
        .as("copy topology/tools/target/help/size.txt to deploy/local/help/")
        .hasContent(usage);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --interval=10                            | Missing required option: '--series=N'
          --series=0                               | 0 is not between 1 and 1000000000 (--series)
          --series=1 --interval=0                  | 0 is not between 0.1 and 3600 (--interval)
          --series=1 --busy=101                    | 101 is not between 10 and 100 (--busy)
          --series=1 --archives=10s                | '10s' is not [function:]step:span[:xff]
          --series=1 --archives=10s:6h,25s:100s    | step 25s is not a multiple
          --series=1 --policies=missing.yaml       | missing.yaml
          --series=1 --policy=none                 | 'none' is not one of the policies default
          --series=1000000000                      | (--heap)
          """)
  void shouldNameWhatToChange(String options, String expected) {
    assertThat(execute(options.strip().split(" +"))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(expected);
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

    assertThat(execute("--series=60", "--policies=" + file)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("fine, rest");
    assertThat(execute("--series=60", "--policies=" + file, "--policy=rest", "--json")).isZero();
    JsonNode printed = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(printed.at("/needs/values").asDouble()).isEqualTo(2);
  }

  @Test
  void shouldPrintEachPartAndItsLimits() {
    assertThat(execute("--series=10000000", "--interval=10")).isZero();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("1,000,000 points/s")
        .contains("Topology", "Kafka", "Connect", "PostgreSQL", "Query API", "Settings", "Limits")
        .contains("10s:6h", "1m:7d", "1h:1y", "max.series");
  }

  private int execute(String... options) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      return SizeCommand.commandLine().execute(options);
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }
}
