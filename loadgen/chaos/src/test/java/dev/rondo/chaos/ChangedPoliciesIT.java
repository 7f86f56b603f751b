package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A brief run of the scenario {@code policies}: nothing differs from what its versions promise,
 * until a slot is removed by hand. The seed begins with a resized archive that is rolled back, then
 * changes step, reorder window and names, and divides, matches and unites.
 */
@Tag("long")
@Timeout(900)
class ChangedPoliciesIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Removes the second row of a minute, whose archive all versions have. */
  private static final String REMOVE =
      """
      delete from ts where (rra_bundle_id, seg, i) = (
        select rra_bundle_id, seg, i from ts join rra_bundle b on b.id = rra_bundle_id
        where cf = 'wmean' and step_ms = 60000 and t > '-infinity' and dp[1] <> 'NaN'
        order by t offset 1 limit 1)
      """;

  @TempDir static Path temporary;
  private RondoCli cli;

  @BeforeEach
  void open() {
    cli = RondoCli.forDir(temporary.resolve("data"));
  }

  @AfterEach
  void down() throws Exception {
    if (Files.exists(cli.dir().resolve("rondo.json"))) {
      assertThat(cli.start("down", List.of("--wipe")).await()).isZero();
    }
  }

  @Test
  void shouldKeepWhatEachVersionPromised() throws Exception {
    JsonNode report =
        run(
            0,
            "chaos",
            "--scenario=policies",
            "--minutes=2.5",
            "--faults=12",
            "--series=400",
            "--rate=200",
            "--seed=" + System.getProperty("rondo.chaos.seed", "22"),
            "--wait=60",
            "--keep");
    assertThat(report.get("clean").asBoolean()).as(report.toPrettyString()).isTrue();
    assertThat(report.at("/verify/slots/equal").asLong()).isGreaterThan(400 * 20);
    assertThat(report.at("/verify/rendered").size()).isPositive();

    assertThat(removeSlots()).isOne();
    JsonNode found =
        run(
            1,
            "verify",
            "--plan=" + cli.dir().resolve("loadgen/policies-load-1.json"),
            "--versions=" + cli.dir().resolve("versions.json"));
    assertThat(found.at("/slots/missing").asLong()).as(found.toPrettyString()).isPositive();
  }

  private JsonNode run(int exitCode, String command, String... options)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--json");
    Running running = cli.start(command, all);
    int code = running.await();
    System.out.print(Files.readString(running.err()));
    assertThat(code)
        .as("%s %s", running.output(), Files.readString(running.err()))
        .isEqualTo(exitCode);
    return JSON.readTree(running.output());
  }

  private int removeSlots() throws IOException, SQLException {
    JsonNode state = JSON.readTree(Files.readString(cli.dir().resolve("rondo.json")));
    var postgres = PostgresUrl.parse(state.get("postgres").asText());
    try (var connection = postgres.connect("rondo-chaos");
        var statement = connection.createStatement()) {
      return statement.executeUpdate(REMOVE);
    }
  }
}
