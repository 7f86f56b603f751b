package dev.rondo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command, short: all figures of all parts. */
@Tag("long")
@Timeout(300)
class FootprintBenchIT {
  private static final List<String> PARTS =
      List.of("kafka", "postgres", "topology", "connect", "api", "fill", "host-metrics");

  @Test
  void shouldTellWhatEachPartTakes() throws Exception {
    JsonNode usages =
        CommandRun.of(
                new CommandLine(new FootprintCommand()), "--warm-up=0", "--seconds=1", "--json")
            .json();
    for (String part : PARTS) {
      assertThat(usages.at("/%s/readySeconds".formatted(part)).asDouble())
          .as("%s", usages)
          .isPositive();
      assertThat(usages.at("/%s/pssMb".formatted(part)).asDouble()).as("%s", usages).isPositive();
    }
    assertThat(usages.at("/supervisor/pssMb").asDouble()).isPositive();
    double all = usages.at("/all/pssMb").asDouble();
    assertThat(all).isGreaterThan(usages.at("/kafka/pssMb").asDouble());
    assertThat(usages.at("/all/rssMb").asDouble()).isGreaterThanOrEqualTo(all);
    assertThat(usages.at("/all/cores").asDouble()).isPositive();
  }
}
