package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of three brokers, each killed, stopped or frozen while the others go on. */
@Tag("long")
@Timeout(600)
class BrokersIT {
  private static final String POLICIES =
      """
      policies:
        - name: load
          match: '^load[.]'
          step: 2s
          heartbeat: 20s
          archives: ["2s:1h", "1m:1d"]
      """;

  private static final Pattern LOST =
      Pattern.compile("TaskMigrated|TaskCorrupted|being fenced|as lost|[Tt]runcation|out of range");

  @Test
  void shouldStoreEveryPointExactlyOnceWhileBrokersAreAway(@TempDir Path temporary)
      throws Exception {
    Path policies = Files.writeString(temporary.resolve("policies.yaml"), POLICIES);
    Path data = temporary.resolve("data");
    RondoCli cli = RondoCli.forDir(data);
    Running chaos =
        cli.start(
            "chaos",
            List.of(
                "--scenario=brokers",
                "--minutes=0.6",
                "--faults=3",
                "--frozen=13",
                "--series=2000",
                "--rate=1000",
                "--policies=" + policies));
    int code = chaos.await(); // 0: every slot is correct; then the folder is removed
    assertThat(code).as(() -> errors(chaos) + lost(data.resolve("logs"))).isZero();
  }

  private static String errors(Running chaos) {
    try {
      return Files.readString(chaos.err()) + chaos.output();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the instances of the topology logged about tasks that they lost, and positions. */
  private static String lost(Path logs) {
    StringBuilder lost = new StringBuilder();
    for (String part : List.of("topology", "topology-2")) {
      try (Stream<String> lines = Files.lines(logs.resolve(part + ".log"))) {
        lines
            .filter(line -> LOST.matcher(line).find())
            .forEach(line -> lost.append(part).append(": ").append(line).append('\n'));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return lost.toString();
  }
}
