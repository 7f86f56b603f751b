package dev.rondo.tools.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

class ImportCommandTest {
  private static final String SCHEMAS =
      """
      # metrics of carbon itself
      [carbon]
      pattern = ^carbon\\.
      retentions = 60:90d

      [team's "fine" series]
      priority = 100
      Pattern: ^web\\d+\\.(?P<part>cpu|load)\\.
      retentions = 1min:7days, 10s:6h ,1h:5y
      ; the last one
      [everything else]
      pattern = .*
      retentions = 60s:1d
      [unreachable]
      pattern = ^never
      retentions = 1s:1d
      """;

  private static final String AGGREGATION =
      """
      [sums]
      pattern = \\.count$
      xFilesFactor = 0
      aggregationMethod = sum
      [middle]
      pattern = \\.median$
      aggregationMethod = median
      [average]
      pattern = .*
      xFilesFactor = 0.3
      aggregationMethod = average
      """;

  @TempDir Path dir;

  private CommandRun run;

  @Test
  void shouldPutEachSeriesWhereCarbonDoes() throws IOException {
    Policies policies = imported(SCHEMAS, AGGREGATION);

    assertThat(policies.inOrder()).hasSize(9).allMatch(Policy::isWhisper);
    assertThat(archives(policies, "carbon.agents.a.points")).containsExactly("wmean 1m 90d 0.3");
    assertThat(archives(policies, "web1.cpu.idle"))
        .containsExactly("wmean 10s 6h 0.3", "wmean 1m 7d 0.3", "wmean 1h 5y 0.3");
    assertThat(archives(policies, "web1.load.requests.count"))
        .containsExactly("wmean 10s 6h 0.0", "sum 1m 7d 0.0", "sum 1h 5y 0.0");
    assertThat(archives(policies, "web1.disk.count")).containsExactly("wmean 1m 1d 0.0");
    assertThat(List.of("web1.cpu.idle", "web1.disk.count", "a.median"))
        .extracting(name -> policies.of(Ident.parse(name)).orElseThrow().aggregate().key())
        .containsExactly("wmean", "sum", "wmean");
    assertThat(run.printed())
        .contains("aggregate: sum\n    archives: [\"10s:6h:0.0\", \"1m:7d:0.0\", \"1h:5y:0.0\"]")
        .contains("# priority has no equivalent", "# aggregationMethod median has no equivalent")
        .doesNotContain("never");
  }

  @Test
  void shouldUseTheDefaultsOfCarbonAndWhisper() throws IOException {
    Policies policies = imported("[only]\npattern = ^a\\.\nretentions = 60:1440\n", null);

    assertThat(archives(policies, "a.b")).containsExactly("wmean 1m 1d 0.5");
    assertThat(archives(policies, "b")).containsExactly("wmean 1m 7d 0.5");
  }

  @Test
  void shouldWriteANewFileOnly() throws IOException {
    Path file = dir.resolve("policies.yaml");
    String schemas = write("schemas.conf", SCHEMAS).toString();

    assertThat(execute(schemas, "--output=" + file)).isZero();
    assertThat(PoliciesFile.read(file).inOrder()).hasSize(3);
    assertThat(execute(schemas, "--output=" + file)).isEqualTo(ExitCode.SOFTWARE);
    assertThat(run.errors()).contains("exists already (--output)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          [a]~pattern = .*                               | section [a] of
          [a]~pattern = .*~retentions = 10s              | '10s' is not a retention such as 10s:6h (retentions)
          [a]~pattern = .*~retentions = 0s:1d            | '0s:1d' is not a retention
          [a]~pattern = .*~retentions = 10x:1d           | 'x' is not a unit of time
          [a]~pattern = .*~retentions = 10s:6h,25s:1d    | 25 s is not a multiple of 10 s (retentions)
          [a]~pattern = a(~retentions = 10s:6h           | 'a(' is not a regular expression
          retentions = 10s:6h                            | has no section with a pattern
          """)
  void shouldNameWhatIsWrong(String schemas, String expected) throws IOException {
    String file = write("schemas.conf", schemas.strip().replace('~', '\n')).toString();

    assertThat(execute(file)).isEqualTo(ExitCode.USAGE);
    assertThat(run.errors()).contains(expected.strip(), file);
  }

  @Test
  void shouldNameWhatIsMissing() throws IOException {
    assertThat(execute("missing.conf")).isEqualTo(ExitCode.USAGE);
    assertThat(run.errors()).contains("there is no file missing.conf");
    String schemas = write("schemas.conf", SCHEMAS).toString();
    String aggregation =
        write("aggregation.conf", "[a]\npattern = a\nxFilesFactor = 2\n").toString();
    assertThat(execute(schemas, aggregation)).isEqualTo(ExitCode.USAGE);
    assertThat(run.errors()).contains("'2' is not a number within 0..1 (xFilesFactor)");
  }

  private Policies imported(String schemas, String aggregation) throws IOException {
    String file = write("schemas.conf", schemas).toString();
    int code =
        aggregation == null
            ? execute(file)
            : execute(file, write("aggregation.conf", aggregation).toString());
    assertThat(code).as(run.errors()).isZero();
    return PoliciesFile.parse(run.printed());
  }

  private static List<String> archives(Policies policies, String name) {
    return policies.of(Ident.parse(name)).orElseThrow().archives().stream()
        .map(ImportCommandTest::text)
        .toList();
  }

  private static String text(Archive archive) {
    long stepMs = archive.shape().stepMs();
    return "%s %s %s %s"
        .formatted(
            archive.function().key(),
            Spans.format(stepMs),
            Spans.format(stepMs * archive.shape().size()),
            archive.xff());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  private int execute(String... arguments) {
    run = CommandRun.of(Commands.commandLine(new ImportCommand()), arguments);
    return run.code();
  }
}
