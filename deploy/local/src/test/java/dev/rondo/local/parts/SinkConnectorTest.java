package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SinkConnectorTest {
  @Test
  void shouldRunWhenConnectorAndAllTasksRun() throws IOException {
    var status = status("RUNNING", task("RUNNING", "") + "," + task("RUNNING", ""));
    assertThat(status.runs()).isTrue();
    assertThat(status.failed()).isFalse();
  }

  @Test
  void shouldNotRunBeforeItHasTasks() throws IOException {
    assertThat(status("RUNNING", "").runs()).isFalse();
    assertThat(status("UNASSIGNED", task("RUNNING", "")).runs()).isFalse();
    assertThat(status("RUNNING", task("UNASSIGNED", "")).failed()).isFalse();
  }

  @Test
  void shouldReportThatItIsPaused() throws IOException {
    assertThat(status("PAUSED", task("PAUSED", "")).paused()).isTrue();
    assertThat(status("STOPPED", "").paused()).isTrue();
    assertThat(status("UNASSIGNED", task("RUNNING", "")).paused()).isFalse();
  }

  @Test
  void shouldReportInnermostCauseOfFailedTask() throws IOException {
    String trace =
        "ConnectException: Exiting\\n\\tat x\\nCaused by: A: first\\n\\tat y\\nCaused by: B: last\\n";
    var status = status("RUNNING", task("RUNNING", "") + "," + task("FAILED", trace));
    assertThat(status.runs()).isFalse();
    assertThat(status.failed()).isTrue();
    assertThat(status.trace()).isEqualTo("B: last");
  }

  @Test
  void shouldReportTheAdviceOfTheSink() throws IOException {
    String trace =
        "org.apache.kafka.connect.errors.ConnectException: Exiting\\n\\tat x\\n"
            + "Caused by: org.apache.kafka.connect.errors.ConnectException: no table; migrate\\n"
            + "Caused by: org.postgresql.util.PSQLException: ERROR\\n";
    assertThat(status("RUNNING", task("FAILED", trace)).trace()).endsWith("no table; migrate");
  }

  private static SinkConnector.Status status(String connector, String tasks) throws IOException {
    return SinkConnector.status(
        new ObjectMapper()
            .readTree(
                "{\"connector\": {\"state\": \"%s\"}, \"tasks\": [%s]}"
                    .formatted(connector, tasks)));
  }

  private static String task(String state, String trace) {
    return "{\"state\": \"%s\", \"trace\": \"%s\"}".formatted(state, trace);
  }
}
