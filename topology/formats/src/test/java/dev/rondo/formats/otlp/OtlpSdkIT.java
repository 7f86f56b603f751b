package dev.rondo.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OpenTelemetry's SDK for Python records and encodes metrics, and prints the expected points.
 * {@code ./rondo test} installs it.
 */
class OtlpSdkIT {
  private static final Path PYTHON = Path.of("../../query-api/.venv/bin/python");
  private static final Path SCRIPT = Path.of("src/test/python/otlp_metrics.py");
  private static final int EXPORTS = 4;

  @TempDir Path folder;

  @Test
  void shouldReadRecordsOfTheSdk() throws IOException, InterruptedException {
    JsonNode exports = exportsOrSkip();
    assertThat(exports).hasSize(EXPORTS);
    int points = 0;
    for (JsonNode export : exports) {
      String what = export.path("what").asText();
      List<String> expected = expected(export.path("points"));
      Found protobuf = Found.in(HexFormat.of().parseHex(export.path("protobuf").asText()));
      Found json = Found.in(export.path("json").asText());
      assertThat(protobuf.points).as(what).isEqualTo(expected);
      assertThat(json.points).as(what).isEqualTo(expected);
      assertThat(protobuf.drops).as(what).isEmpty();
      assertThat(json.drops).as(what).isEmpty();
      points += expected.size();
    }
    System.out.printf("OpenTelemetry: %d exports, %d points%n", exports.size(), points);
  }

  private JsonNode exportsOrSkip() throws IOException, InterruptedException {
    assumeTrue(Files.exists(PYTHON), "no " + PYTHON + ": ./rondo test makes it");
    Path out = folder.resolve("exports.json");
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(PYTHON.toString(), SCRIPT.toString())
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile())
            .start();
    int exit = process.waitFor();
    String output = Files.readString(errors, StandardCharsets.UTF_8);
    assumeTrue(
        !output.contains("ModuleNotFoundError: No module named 'opentelemetry"),
        "no opentelemetry-sdk in " + PYTHON + ": ./rondo test installs it");
    assertThat(exit).as(output).isZero();
    return new ObjectMapper().readTree(out.toFile());
  }

  private static List<String> expected(JsonNode points) {
    List<String> expected = new ArrayList<>();
    for (JsonNode point : points) {
      expected.add(
          point.path(0).asText() + " " + point.path(2).asDouble() + " " + point.path(1).asLong());
    }
    return expected;
  }
}
