package dev.rondo.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.CommandRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** The command, small and short: so small a load is no measure of the model. */
@Tag("long")
@Timeout(600)
class ScaleBenchIT {
  @Test
  void shouldMeasureAShareBesideItsPrediction() throws Exception {
    CommandRun run =
        CommandRun.of(
            new CommandLine(new ScaleCommand()),
            "--series=20000",
            "--instances=10",
            "--warm-up=5",
            "--settle=10",
            "--seconds=10",
            "--json");

    assertThat(run.code()).as(run.printed()).isNotEqualTo(ExitCode.USAGE);
    JsonNode result = new ObjectMapper().readTree(run.printed());
    System.out.println(result);
    assertThat(result.at("/result/workload/series").asInt()).isEqualTo(2_000);
    assertThat(result.at("/result/workload/oneOf").asInt()).isEqualTo(10);
    assertThat(result.get("compared")).hasSizeGreaterThan(5);
    for (JsonNode compared : result.get("compared")) {
      assertThat(compared.get("predicted").asDouble()).as("%s", compared).isPositive();
      assertThat(compared.get("measured").asDouble()).as("%s", compared).isPositive();
    }
  }
}
