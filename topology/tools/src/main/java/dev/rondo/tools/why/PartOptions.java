package dev.rondo.tools.why;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.UpFolder;
import dev.rondo.tools.why.facts.Facts.Problem;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options with the addresses of the parts that {@code ./rondo up} did not start. */
final class PartOptions {
  @Option(
      names = "--topology",
      paramLabel = "URL",
      description =
          "HTTP of an instance of the topology; repeat it for each (default: http.host and http.port"
              + " of the settings).")
  private List<String> topology = List.of();

  @Option(names = "--connect", paramLabel = "URL", description = "REST API of a Connect worker.")
  private String connect;

  @Option(
      names = "--connector",
      paramLabel = "NAME",
      description = "Name of the sink (default: PREFIX-postgres-sink).")
  private String connector;

  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description = "postgresql://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD.")
  private String postgres;

  @Option(names = "--api", paramLabel = "URL", description = "The query API.")
  private String api;

  @Option(
      names = "--api-token",
      paramLabel = "FILE",
      description = "File with the token that the query API asks for.")
  private Path apiToken;

  /**
   * Where the parts are; null = unknown.
   *
   * @param token that the query API asks for
   * @param ends why parts of {@code ./rondo up} that are down ended
   */
  record Addresses(
      List<String> topology,
      String connect,
      String connector,
      String postgres,
      String api,
      String token,
      List<Problem> ends) {}

  /**
   * @param home data folder of {@code ./rondo up}; empty = another Rondo
   */
  Addresses addresses(TopologyConfig config, Optional<Path> home) throws IOException {
    JsonNode up = home.isEmpty() ? MissingNode.getInstance() : UpFolder.state(home.get());
    return new Addresses(
        topology.isEmpty()
            ? List.of(up.path("topology").asText(ofSettings(config)))
            : topology.stream().map(PartOptions::base).toList(),
        base(either(connect, up, "connect")),
        connector == null ? config.names().connector() : connector,
        either(postgres, up, "postgres"),
        base(either(api, up, "api")),
        token(apiToken == null ? up.path("apiToken").asText(null) : apiToken.toString()),
        ends(up));
  }

  private static List<Problem> ends(JsonNode up) {
    List<Problem> ends = new ArrayList<>();
    for (Map.Entry<String, JsonNode> part : up.path("parts").properties()) {
      String error = part.getValue().path("error").asText("");
      if (!error.isEmpty()) {
        ends.add(new Problem("critical", part.getKey(), part.getKey() + " ended: " + error, null));
      }
    }
    return ends;
  }

  private static String ofSettings(TopologyConfig config) {
    String host = config.getString("http.host");
    boolean isAny = host.equals("0.0.0.0") || host.equals("::");
    return "http://%s:%d".formatted(isAny ? "127.0.0.1" : host, config.getInt("http.port"));
  }

  private static String either(String option, JsonNode up, String member) {
    return option == null ? up.path(member).asText(null) : option;
  }

  private static String base(String url) {
    if (url != null && !url.startsWith("http://") && !url.startsWith("https://")) {
      throw CommandException.misuse(
          "'%s' is not a URL such as http://127.0.0.1:8083 (--topology, --connect, --api)"
              .formatted(url));
    }
    return url == null ? null : url.replaceFirst("/+$", "");
  }

  private static String token(String file) throws IOException {
    if (file == null) {
      return null;
    }
    if (!Files.isReadable(Path.of(file))) {
      throw CommandException.misuse("there is no readable file %s (--api-token)".formatted(file));
    }
    return Files.readString(Path.of(file)).strip();
  }
}
