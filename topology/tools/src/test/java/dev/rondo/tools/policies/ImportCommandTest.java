package dev.rondo.tools.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** The script ./rondo shows this help before the first build, so it has a copy. */
  @ParameterizedTest
  @ValueSource(strings = {"policies", "policies-import"})
  void shouldMatchTheHelpOfTheScript(String name) throws IOException {
    var command = PoliciesCommand.commandLine();
    String usage =
        name.equals("policies")
            ? command.getUsageMessage()
            : command.getSubcommands().get("import").getUsageMessage();
    Path generated = Path.of("target/help", name + ".txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);
    assertThat(Path.of("../../deploy/local/help", name + ".txt"))
        .as("copy topology/tools/target/help/%s.txt to deploy/local/help/", name)
        .hasContent(usage);
  }

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
    assertThat(out.toString(StandardCharsets.UTF_8))
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
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("exists already (--output)");
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
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(expected.strip(), file);
  }

  @Test
  void shouldNameWhatIsMissing() throws IOException {
    assertThat(execute("missing.conf")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is no file missing.conf");
    String schemas = write("schemas.conf", SCHEMAS).toString();
    String aggregation =
        write("aggregation.conf", "[a]\npattern = a\nxFilesFactor = 2\n").toString();
    assertThat(execute(schemas, aggregation)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("'2' is not a number within 0..1 (xFilesFactor)");
  }

  private Policies imported(String schemas, String aggregation) throws IOException {
    String file = write("schemas.conf", schemas).toString();
    int code =
        aggregation == null
            ? execute(file)
            : execute(file, write("aggregation.conf", aggregation).toString());
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return PoliciesFile.parse(out.toString(StandardCharsets.UTF_8));
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
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      String[] all = new String[arguments.length + 1];
      all[0] = "import";
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      return PoliciesCommand.commandLine().execute(all);
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }
}
