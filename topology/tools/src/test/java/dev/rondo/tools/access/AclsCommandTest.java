package dev.rondo.tools.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AclsCommandTest {
  @TempDir Path dir;

  private CommandRun run(String... options) throws IOException {
    Path file = dir.resolve("topology.properties");
    Files.writeString(file, "bootstrap.servers=b1:9092\nstate.dir=state\nrondo.prefix=team\n");
    List<String> arguments = new ArrayList<>(List.of("--config", file.toString()));
    arguments.addAll(List.of(options));
    return CommandRun.of(Commands.commandLine(new AclsCommand()), arguments.toArray(String[]::new));
  }

  @Test
  void shouldPrintCommandsOfKafka() throws IOException {
    assertThat(run("--principal-topology", "metrics", "--principal-api", "User:api").printed())
        .contains(
            "kafka-acls.sh --bootstrap-server b1:9092 --add --allow-principal 'User:metrics'"
                + " --operation Write --transactional-id 'team-' --resource-pattern-type prefixed")
        .contains(
            "--allow-principal 'User:api' --operation Write --topic 'team.series-requests'"
                + " --resource-pattern-type literal")
        .doesNotContain("connect");
  }

  @Test
  void shouldPrintOneUserForPartsThatShareIt() throws IOException {
    String manifests =
        run("--format=strimzi", "--principal-connect=one", "--principal-tools=one").printed();

    assertThat(manifests)
        .containsOnlyOnce("kind: KafkaUser")
        .contains("name: \"one\"")
        .contains("# connect, tools: User:one")
        .containsOnlyOnce("          name: \"team.series\"");
  }

  @Test
  void shouldPrintATableWithoutPrincipals() throws IOException {
    assertThat(run().printed())
        .contains("topology: ")
        .contains("senders: ")
        .contains("team.series");
  }

  @Test
  void shouldRequireAPrincipalForOtherFormats() throws IOException {
    CommandRun run = run("--format=strimzi");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains("no principal is given");
  }
}
