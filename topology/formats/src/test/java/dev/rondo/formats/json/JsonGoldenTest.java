package dev.rondo.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decodes records written by real producers; README.md beside them names their origin. */
class JsonGoldenTest {
  @ParameterizedTest
  @CsvSource({
    "telegraf-batch, telegraf, SECONDS",
    "telegraf-single, telegraf, SECONDS",
    "telegraf-batch-ns, telegraf, NANOSECONDS",
    "collectd, collectd, SECONDS",
    "prometheus-adapter, prometheus-adapter, SECONDS",
    "opentsdb, opentsdb, SECONDS",
    "jsonline, jsonline, SECONDS",
    "vector, vector, SECONDS",
    "plain, plain, SECONDS"
  })
  void shouldDecodeThePointsThatTheProducerSent(String name, String dialect, TimeUnit timeUnit)
      throws IOException {
    byte[] record = read(name + ".json");
    String expected = new String(read(name + ".txt"), StandardCharsets.UTF_8);
    assertThat(JsonDecoder.recognises(record)).isTrue();
    for (Optional<String> setting : List.of(Optional.<String>empty(), Optional.of(dialect))) {
      assertThat(String.join("\n", Found.in(record, timeUnit, setting).all) + "\n")
          .as("dialect " + setting)
          .isEqualTo(expected);
    }
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = JsonGoldenTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }
}
