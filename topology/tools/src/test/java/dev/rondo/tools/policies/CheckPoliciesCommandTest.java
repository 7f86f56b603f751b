package dev.rondo.tools.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExitCode;

class CheckPoliciesCommandTest {
  private static final String POLICIES =
      """
      policies:
        - {name: fine, match: '^web', tags: {dc: ams}, step: 1s, archives: ["1s:1h", "max:1m:7d:0"]}
        - {name: graphite, match: '^g', step: 1m, heartbeat: 0, archives: ["1m:1d"]}
      """;

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** The script ./rondo shows this help before the first build, so it has a copy. */
  @Test
  void shouldMatchTheHelpOfTheScript() throws IOException {
    String usage = Commands.commandLine(new CheckPoliciesCommand()).getUsageMessage();
    Path generated = Path.of("target/help/check-policies.txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);
    assertThat(Path.of("../../deploy/local/help/check-policies.txt"))
        .as("copy topology/tools/target/help/check-policies.txt to deploy/local/help/")
        .hasContent(usage);
  }

  @Test
  void shouldPrintEachPolicy() throws IOException {
    assertThat(execute(file(POLICIES))).isZero();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "fine: match ^web, tags {dc=ams}, step 1s, heartbeat 10s\n",
            "  wmean   1s slots for 1h   xff 0.5       3,600 slots\n",
            "  max     1m slots for 7d   xff 0.0      10,080 slots\n",
            "each takes 142 kB",
            "graphite: match ^g, step 1m, Whisper mode\n");
  }

  @Test
  void shouldTellThePolicyOfASeries() throws IOException {
    assertThat(execute(file(POLICIES), "web1;dc=ams", "web1", "g.x")).isZero();

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("web1;dc=ams  fine", "web1  no policy", "g.x  graphite");
  }

  @Test
  void shouldNameTheErrorOfAFile() throws IOException {
    assertThat(execute(file("policies: [{name: a, step: 1s}]"))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("policies.yaml", "policies[0]");
  }

  private String file(String text) throws IOException {
    return Files.writeString(dir.resolve("policies.yaml"), text).toString();
  }

  private int execute(String... arguments) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      return Commands.commandLine(new CheckPoliciesCommand()).execute(arguments);
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }
}
