package dev.rondo.tools.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
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
        - {name: graphite, match: '^g', step: 1m, heartbeat: 0, aggregate: sum, archives: ["1m:1d", "1h:1y"]}
      """;

  @TempDir Path dir;

  @Test
  void shouldPrintEachPolicy() throws IOException {
    CommandRun run = execute(file(POLICIES));

    assertThat(run.code()).isZero();
    assertThat(run.printed())
        .contains(
            "fine: match ^web, tags {dc=ams}, step 1s, heartbeat 10s\n",
            "  wmean   1s slots for 1h   xff 0.5       3,600 slots\n",
            "  max     1m slots for 7d   xff 0.0      10,080 slots\n",
            "each takes 145 kB",
            "graphite: match ^g, step 1m, Whisper mode, aggregate sum\n",
            "  wmean   1m slots for 1d ",
            "  sum     1h slots for 1y ");
  }

  @Test
  void shouldTellThePolicyOfASeries() throws IOException {
    CommandRun run = execute(file(POLICIES), "web1;dc=ams", "web1", "g.x");

    assertThat(run.code()).isZero();
    assertThat(run.printed().lines())
        .containsExactly("web1;dc=ams  fine", "web1  no policy", "g.x  graphite");
  }

  @Test
  void shouldNameTheErrorOfAFile() throws IOException {
    CommandRun run = execute(file("policies: [{name: a, step: 1s}]"));

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errors()).contains("policies.yaml", "policies[0]");
  }

  private String file(String text) throws IOException {
    return Files.writeString(dir.resolve("policies.yaml"), text).toString();
  }

  private static CommandRun execute(String... arguments) {
    return CommandRun.of(Commands.commandLine(new CheckPoliciesCommand()), arguments);
  }
}
