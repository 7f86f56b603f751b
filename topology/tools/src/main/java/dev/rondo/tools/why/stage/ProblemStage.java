package dev.rondo.tools.why.stage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.tools.why.facts.Facts.Problem;
import java.io.IOException;
import java.util.List;

/** What {@code /status} of the query API says is wrong: it asks all parts. */
public final class ProblemStage {
  private static final int OK = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProblemStage() {}

  /**
   * Asks the query API for the problems, the worst first; none without an answer.
   *
   * @param api URL; null = not asked
   * @param token that it asks for, without a scope; null = none
   */
  public static List<Problem> read(String api, String token) throws InterruptedException {
    return api == null ? List.of() : Attempt.of(() -> ask(api, token), error -> List.of());
  }

  private static List<Problem> ask(String api, String token)
      throws IOException, InterruptedException {
    Http.Answer answer = Http.get(api + "/status?format=json", token);
    JsonNode problems = answer.json().path("problems");
    return answer.status() == OK && problems.isArray()
        ? JSON.convertValue(problems, new TypeReference<>() {})
        : List.of();
  }
}
