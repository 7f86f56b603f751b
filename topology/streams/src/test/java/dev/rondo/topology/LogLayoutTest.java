package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What records and clients may send, and how much of it reaches a log. */
class LogLayoutTest {
  private static final String HOSTILE =
      "\u001b[2J\u0000\r\n2026-01-01T00:00:00.000Z INFO forged\u007f\u009b31m\u202e\u2028end";

  private static final int MAX_LINE = 4200;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/main/resources/log4j2.properties",
        "../../deploy/connect/log4j2.properties",
        "../../deploy/embedded/src/main/resources/dev/rondo/embedded/child-log4j2.properties",
        "../../connectors/host-collector/src/main/resources/log4j2.xml"
      })
  void shouldHoldNoControlCharacterAndNoForgedLine(String settings) {
    List<String> plain = lines(settings, "series '" + HOSTILE + "' is late", null);
    assertThat(plain).hasSize(1);
    assertThat(plain.get(0)).endsWith("end' is late").contains("?[2J?").contains("forged??31m??");

    Exception failure = new IllegalStateException(HOSTILE, new IllegalStateException(HOSTILE));
    List<String> failed = lines(settings, "failed", failure);
    assertThat(failed.get(0)).endsWith("failed");
    assertThat(failed).anyMatch(line -> line.contains("forged")).noneMatch(this::isForged);
    assertThat(failed).anyMatch(line -> line.strip().startsWith("at " + getClass().getName()));

    String large = "x".repeat(1 << 20);
    lines(settings, large, new IllegalStateException(large));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/main/resources/log4j2.properties",
        "../../deploy/connect/log4j2.properties",
        "../../deploy/embedded/src/main/resources/dev/rondo/embedded/child-log4j2.properties",
        "../../connectors/host-collector/src/main/resources/log4j2.xml"
      })
  void shouldBeOneJsonObjectALine(String settings) throws IOException {
    Exception failure = new IllegalStateException(HOSTILE, new IllegalStateException("cause"));
    String text = text(settings, "json", "series '" + HOSTILE + "' is \"late\"", failure);
    assertThat(text.strip()).doesNotContainPattern("[\\p{Cc}\\p{Cf}\u2028]");
    JsonNode line = new ObjectMapper().readTree(text);
    assertThat(line.get("message").asText()).endsWith("end' is \"late\"");
    assertThat(line.get("level").asText()).isEqualTo("WARN");
    assertThat(line.get("logger").asText()).isEqualTo("test");
    assertThat(line.get("exception").asText())
        .contains("\n\tat " + getClass().getName(), "Caused by: ");
    JsonNode fine = new ObjectMapper().readTree(text(settings, "json", "fine", null));
    assertThat(fine.get("exception").asText()).isEmpty();
  }

  private boolean isForged(String line) {
    return line.startsWith("2026-01-01");
  }

  /** The lines of one event, as the settings lay it out. */
  private static List<String> lines(String settings, String message, Throwable thrown) {
    String text = text(settings, "text", message, thrown);
    assertThat(text.replaceAll("[\n\t]", "")).doesNotContainPattern("[\\p{Cc}\\p{Cf}\u2028]");
    List<String> lines = text.lines().toList();
    assertThat(lines).allMatch(line -> line.length() < MAX_LINE);
    return lines;
  }

  /** An event as the appender of a format lays it out. */
  private static String text(String settings, String format, String message, Throwable thrown) {
    try (LoggerContext context = new LoggerContext("test")) {
      context.setConfigLocation(Path.of(settings).toUri());
      var event =
          Log4jLogEvent.newBuilder()
              .setLevel(Level.WARN)
              .setLoggerName("test")
              .setThreadName("main")
              .setMessage(new SimpleMessage(message))
              .setThrown(thrown)
              .build();
      var configuration = context.getConfiguration();
      assertThat(configuration.getRootLogger().getAppenders()).containsOnlyKeys("text");
      return configuration.getAppender(format).getLayout().toSerializable(event).toString();
    }
  }
}
