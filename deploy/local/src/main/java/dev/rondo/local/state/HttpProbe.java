package dev.rondo.local.state;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** Sends GET requests to parts of this Rondo. */
public final class HttpProbe {
  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final int OK = 200;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(BOUND).build();

  private HttpProbe() {}

  /** Whether the server answers 200. */
  public static boolean isOk(String url) throws IOException, InterruptedException {
    var answer = HTTP.send(request(url).build(), HttpResponse.BodyHandlers.discarding());
    return answer.statusCode() == OK;
  }

  /**
   * Returns why a health endpoint does not answer 200: its reason or state; empty if it does.
   *
   * @param url answers JSON with {@code reason} or {@code state}
   */
  public static String fault(String url) throws InterruptedException {
    try {
      var answer = HTTP.send(request(url).build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == OK) {
        return "";
      }
      JsonNode health = JSON.readTree(answer.body());
      String status = "status " + answer.statusCode();
      return health.path("reason").asText(health.path("state").asText(status));
    } catch (IOException e) {
      return "no answer from " + url;
    }
  }

  /**
   * Returns the body of a response 200.
   *
   * @throws IOException for any other status
   */
  public static String get(String url) throws IOException, InterruptedException {
    return get(url, null);
  }

  /**
   * Like {@link #get(String)}, with a bearer token.
   *
   * @param token null: none
   */
  public static String get(String url, String token) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(url);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    var answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IOException(url + " answers with status " + answer.statusCode());
    }
    return answer.body();
  }

  /**
   * Returns the problems that the query API reports, the worst first; empty if it does not answer.
   *
   * @param token null: none
   */
  public static List<State.Problem> problems(String api, String token) throws InterruptedException {
    try {
      var problems = JSON.readTree(get(api + "/status?format=json", token)).path("problems");
      return problems.isArray() ? JSON.convertValue(problems, new TypeReference<>() {}) : List.of();
    } catch (IOException | IllegalArgumentException e) {
      return List.of();
    }
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(BOUND);
  }
}
