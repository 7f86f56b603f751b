package dev.rondo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.embedded.PostgresServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands, with small numbers, in an external database. */
@Tag("long")
class PostgresBenchIT {
  @TempDir static Path dir;
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(dir, 0);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void shouldMeasureEveryPhaseOfWritingAndLeaveNothingBehind() throws Exception {
    JsonNode results = json("sink", "--widths=1,116", "--segments=3", "--rows=30", "--seconds=0");

    assertThat(results.findValuesAsText("phase"))
        .containsExactly(
            "INSERT", "REPLACE", "AGAIN", "BEHIND", // one value has no other half
            "INSERT", "REPLACE", "MERGE", "AGAIN", "BEHIND");
    for (JsonNode result : results) {
      int values = result.get("phase").asText().equals("MERGE") ? 58 : result.get("width").asInt();
      assertThat(result.at("/cost/rows").asInt()).isEqualTo(30);
      assertThat(result.at("/cost/values").asInt()).isEqualTo(30 * values);
      assertThat(result.at("/size/table").asLong()).isGreaterThan(30L * 8 * values);
    }
    JsonNode replaced = results.get(5).get("cost");
    assertThat(replaced.get("updates").asInt()).isEqualTo(30);
    // nearly all: a page is not pruned while another session has a snapshot
    assertThat(replaced.get("hotUpdates").asInt()).isBetween(16, 30);
    try (var connection = DriverManager.getConnection(server.jdbcUrl());
        var schemas = connection.getMetaData().getSchemas(null, "rondo_bench")) {
      assertThat(schemas.next()).isFalse();
    }
  }

  @Test
  void shouldShowAnHour() throws Exception {
    JsonNode quarters = json("sink", "--hour", "--segments=2", "--quarters=1");

    assertThat(quarters).hasSize(1);
    JsonNode firstRound = quarters.get(0);
    assertThat(firstRound.at("/cost/rows").asInt()).isEqualTo(2 * 90 + 90 + 2 * 15);
    assertThat(firstRound.at("/pagesASegment").asDouble()).isLessThan(30);
  }

  @Test
  void shouldAskEachQuery() throws Exception {
    JsonNode result = json("read", "--segments=1", "--slots=400", "--rounds=1", "--runs=2");

    assertThat(result.findValuesAsText("rows"))
        .containsExactly("360", "400", "18000", "18000", "18000", "5");
    assertThat(result.at("/answers/0/pages").asInt()).isBetween(1, 720);
  }

  @Test
  void shouldTellWhatAValueTakesInFullArchives() throws Exception {
    JsonNode result =
        json("storage", "--widths=116", "--segments=2", "--slots=40", "--rounds=2", "--series=300");

    assertThat(result.get("archives").findValuesAsText("stepMs"))
        .containsExactly("10000", "60000", "3600000");
    for (JsonNode archive : result.get("archives")) {
      assertThat(archive.get("values").asInt()).isEqualTo(2 * 40 * 116);
      assertThat(archive.at("/size/table").asLong()).isGreaterThan(2 * 40 * 116 * 8);
      assertThat(archive.at("/size/index").asLong()).isPositive();
    }
    assertThat(result.at("/series/size/table").asLong()).isGreaterThan(300 * 30);
  }

  @Test
  void shouldRefuseAnAddressThatIsNone() {
    assertThat(Bench.commandLine().execute("sink", "--postgres=mysql://x")).isEqualTo(1);
    assertThat(Bench.commandLine().execute("sink", "--widths=0")).isEqualTo(2);
    assertThat(Bench.commandLine().execute("read", "--slots=359")).isEqualTo(2);
  }

  /** What a command prints, and only that: logs go elsewhere. */
  private static JsonNode json(String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--postgres=" + server.url();
    all[arguments.length + 1] = "--json";
    return CommandRun.of(Bench.commandLine(), all).json();
  }
}
