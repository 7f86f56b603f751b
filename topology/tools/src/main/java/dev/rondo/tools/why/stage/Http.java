package dev.rondo.tools.why.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;

/** Asks parts of Rondo over HTTP, each for at most {@link Cluster#PATIENCE}. */
final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Cluster.PATIENCE).build();
  private static final ObjectMapper JSON = new ObjectMapper();

  private Http() {}

  /** A response; the body is missing unless it is JSON. */
  record Answer(int status, JsonNode json, String text) {}

  /**
   * @param token for the header Authorization; null = none
   * @throws IOException that names the address
   */
  static Answer get(String url, String token) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Cluster.PATIENCE);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      boolean isJson =
          answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
      return new Answer(
          answer.statusCode(),
          isJson ? JSON.readTree(answer.body()) : JSON.missingNode(),
          answer.body().strip());
    } catch (ConnectException e) {
      throw new IOException("nothing listens at " + base(url), e);
    } catch (HttpTimeoutException e) {
      throw new IOException(
          "no answer from %s within %d s".formatted(base(url), Cluster.PATIENCE.toSeconds()), e);
    }
  }

  private static String base(String url) {
    URI uri = URI.create(url);
    return uri.getScheme() + "://" + uri.getAuthority();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
