package dev.rondo.tools.why.stage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.tools.why.facts.Facts.Sink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The state of the sink, as Connect says it. */
public final class SinkStage {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final String CAUSE = "Caused by: ";
  private static final String ERROR_OF_SINK = "org.apache.kafka.connect.errors.ConnectException: ";

  private SinkStage() {}

  /**
   * Asks Connect for the state of the connector.
   *
   * @param connect URL of a worker; null = not asked
   */
  public static Sink read(String connect, String connector) throws InterruptedException {
    return connect == null
        ? null
        : Attempt.of(
            () -> ask(connect, connector),
            error -> new Sink(error, connector, null, List.of(), null));
  }

  private static Sink ask(String connect, String connector)
      throws IOException, InterruptedException {
    Http.Answer answer =
        Http.get(connect + "/connectors/" + Http.encoded(connector) + "/status", null);
    if (answer.status() == NOT_FOUND) {
      return new Sink(null, connector, "MISSING", List.of(), null);
    }
    if (answer.status() != OK) {
      throw new IOException("%s answers with status %d".formatted(connect, answer.status()));
    }
    List<String> tasks = new ArrayList<>();
    String failure = failure(answer.json().path("connector"));
    for (JsonNode task : answer.json().path("tasks")) {
      tasks.add(task.path("state").asText());
      failure = failure == null ? failure(task) : failure;
    }
    String state = answer.json().path("connector").path("state").asText();
    return new Sink(null, connector, state, tasks, failure);
  }

  /**
   * The sink's own error, which has the SQLSTATE and advice, else the innermost cause; null if it
   * has not failed. The first line is only Connect's wrapper.
   */
  private static String failure(JsonNode part) {
    List<String> lines = part.path("trace").asText("").lines().toList();
    List<String> causes =
        lines.stream()
            .filter(line -> line.startsWith(CAUSE))
            .map(line -> line.substring(CAUSE.length()))
            .toList();
    return causes.stream()
        .filter(cause -> cause.startsWith(ERROR_OF_SINK))
        .map(cause -> cause.substring(ERROR_OF_SINK.length()))
        .findFirst()
        .or(() -> causes.stream().reduce((first, second) -> second))
        .or(() -> lines.stream().findFirst())
        .orElse(null);
  }
}
