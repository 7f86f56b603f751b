package dev.rondo.topology.http;

import static dev.rondo.topology.http.HttpService.answer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows and sets levels of loggers until the process ends, like Kafka Connect's endpoint of this
 * name. {@code GET /admin/loggers} shows configured levels; {@code PUT /admin/loggers/NAME} with
 * {@code {"level": "DEBUG"}} sets the level of a logger and those below it; {@code root} is above
 * all. A name without a logger gets 404, so that requests cannot add names without end. Other
 * machines get 403.
 */
public final class LoggerLevels implements HttpHandler {
  public static final String PATH = "/admin/loggers";

  private static final Logger LOG = LoggerFactory.getLogger(LoggerLevels.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROOT = "root";
  private static final List<String> LEVELS =
      List.of("off", "fatal", "error", "warn", "info", "debug", "trace");
  private static final int MAX_BODY_BYTES = 1_000;
  private static final String TYPE = "application/json";

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String name =
        exchange.getRequestURI().getPath().substring(PATH.length()).replaceFirst("^/", "");
    if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
      refuse(exchange, 403, "levels are shown and set from this machine only");
    } else if (exchange.getRequestMethod().equals("GET") && name.isEmpty()) {
      answer(exchange, 200, TYPE, levels().toPrettyString() + "\n");
    } else if (exchange.getRequestMethod().equals("PUT") && !name.isEmpty()) {
      put(exchange, name);
    } else {
      refuse(exchange, 405, "GET %s, or PUT %s/NAME".formatted(PATH, PATH));
    }
  }

  private static ObjectNode levels() {
    Map<String, Level> levels = new TreeMap<>();
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    for (LoggerConfig logger : context.getConfiguration().getLoggers().values()) {
      levels.put(logger.getName().isEmpty() ? ROOT : logger.getName(), logger.getLevel());
    }
    ObjectNode root = JSON.createObjectNode();
    levels.forEach((name, level) -> root.putObject(name).put("level", level.name()));
    return root;
  }

  /** Sets a level. Requires JSON, which browsers do not send to other sites without permission. */
  private static void put(HttpExchange exchange, String name) throws IOException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null || !type.startsWith(TYPE)) {
      refuse(exchange, 415, "send Content-Type: application/json");
      return;
    }
    if (!exists(name)) {
      refuse(exchange, 404, "no logger is '%s', or below it".formatted(name));
      return;
    }
    String text = level(exchange.getRequestBody().readNBytes(MAX_BODY_BYTES));
    if (!LEVELS.contains(text.toLowerCase(Locale.ROOT))) {
      String known = String.join(", ", LEVELS);
      refuse(exchange, 400, "level is '%s', not one of %s".formatted(text, known));
      return;
    }
    Level level = Level.valueOf(text);
    if (name.equals(ROOT)) {
      Configurator.setRootLevel(level);
    } else {
      Configurator.setLevel(name, level);
    }
    LOG.info("level of {} is {}", name, level);
    answer(exchange, 200, TYPE, JSON.createArrayNode().add(name) + "\n");
  }

  private static boolean exists(String name) {
    return name.equals(ROOT)
        || ((LoggerContext) LogManager.getContext(false))
            .getLoggers().stream()
                .map(org.apache.logging.log4j.core.Logger::getName)
                .anyMatch(logger -> logger.equals(name) || logger.startsWith(name + "."));
  }

  /** Returns the level in the body; empty if there is none. */
  private static String level(byte[] body) throws IOException {
    try {
      JsonNode root = JSON.readTree(body);
      return root == null ? "" : root.path("level").asText("");
    } catch (JsonProcessingException e) {
      return "";
    }
  }

  private static void refuse(HttpExchange exchange, int status, String message) throws IOException {
    answer(exchange, status, "text/plain", message + "\n");
  }
}
