package dev.rondo.topology;

import static dev.rondo.topology.http.HttpService.answer;

import com.sun.net.httpserver.HttpExchange;
import dev.rondo.formats.DropReason;
import dev.rondo.topology.consolidate.SeriesInquiry;
import dev.rondo.topology.consolidate.SeriesState;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.drops.DropsJson;
import dev.rondo.topology.http.HttpService;
import dev.rondo.topology.http.LoggerLevels;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * HTTP endpoints. {@code GET /health/live}: 503 if a restart would help, otherwise 200. {@code GET
 * /health/ready}: 200 while points are processed, otherwise 503. {@code GET /health}: 200 while
 * Kafka Streams runs, otherwise 503. {@code GET /metrics}: Prometheus metrics. {@code GET
 * /drops?reason=…}: the series dropped last for the given or all reasons; 400 for an unknown
 * reason. {@code GET /series?ident=…}: the state of a series; 404 if this instance does not know
 * it, 429 while it answers another request. {@link LoggerLevels}: levels of the log, from this
 * machine only.
 */
final class HttpEndpoints implements AutoCloseable {
  /** Tasks answer twice a second. */
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(3);

  private final HttpService service;

  private HttpEndpoints(HttpService service) {
    this.service = service;
  }

  /**
   * Starts the server.
   *
   * @param port 0 = any free port
   * @throws IOException with address and keys if the port is in use
   */
  static HttpEndpoints start(
      String host,
      int port,
      Health health,
      PrometheusMeterRegistry registry,
      Drops drops,
      SeriesInquiry inquiry)
      throws IOException {
    return new HttpEndpoints(
        HttpService.start(
            host,
            port,
            "http.host, http.port",
            Map.of(
                "/health",
                exchange -> running(exchange, health.state().get()),
                "/health/live",
                exchange -> probe(exchange, health, health.notLive()),
                "/health/ready",
                exchange -> probe(exchange, health, health.notReady())),
            Map.of(
                "/metrics",
                exchange -> answer(exchange, 200, "text/plain; version=0.0.4", registry.scrape()),
                "/drops",
                exchange -> drops(exchange, drops),
                "/series",
                exchange -> series(exchange, inquiry),
                LoggerLevels.PATH,
                new LoggerLevels())));
  }

  int port() {
    return service.port();
  }

  private static void running(HttpExchange exchange, State state) throws IOException {
    int status = state == State.RUNNING ? 200 : 503;
    answer(exchange, status, "application/json", "{\"state\":\"" + state + "\"}\n");
  }

  private static void probe(HttpExchange exchange, Health health, Optional<String> wrong)
      throws IOException {
    String reason = wrong.map(",\"reason\":\"%s\""::formatted).orElse("");
    answer(
        exchange,
        wrong.isEmpty() ? 200 : 503,
        "application/json",
        "{\"ok\":%b,\"state\":\"%s\"%s}\n"
            .formatted(wrong.isEmpty(), health.state().get(), reason));
  }

  private static void drops(HttpExchange exchange, Drops drops) throws IOException {
    Set<DropReason> wanted = EnumSet.noneOf(DropReason.class);
    for (String key : valuesOf("reason", exchange.getRequestURI().getQuery())) {
      Optional<DropReason> reason = DropReason.of(key);
      if (reason.isEmpty()) {
        answer(exchange, 400, "text/plain", unknownReason(key));
        return;
      }
      wanted.add(reason.get());
    }
    List<DropReason> reasons =
        wanted.isEmpty() ? List.of(DropReason.values()) : List.copyOf(wanted);
    answer(exchange, 200, "application/json", DropsJson.of(drops, reasons));
  }

  private static void series(HttpExchange exchange, SeriesInquiry inquiry) throws IOException {
    List<String> idents = valuesOf("ident", exchange.getRequestURI().getRawQuery());
    if (idents.size() != 1) {
      answer(
          exchange, 400, "text/plain", "one ident is needed: /series?ident=load%3Bhost%3Dweb01\n");
      return;
    }
    String ident = URLDecoder.decode(idents.get(0), StandardCharsets.UTF_8);
    try {
      Optional<SeriesState> state = inquiry.ask(ident, ANSWER_BOUND).join();
      answer(
          exchange,
          state.isEmpty() ? 404 : 200,
          state.isEmpty() ? "text/plain" : "application/json",
          state.map(SeriesState::json).orElse("no task of this instance knows '" + ident + "'\n"));
    } catch (SeriesInquiry.BusyException e) {
      answer(exchange, 429, "text/plain", "another request is being answered\n");
    }
  }

  private static List<String> valuesOf(String name, String query) {
    return query == null
        ? List.of()
        : Arrays.stream(query.split("&"))
            .filter(part -> part.startsWith(name + "="))
            .map(part -> part.substring(name.length() + 1))
            .toList();
  }

  private static String unknownReason(String key) {
    String known =
        Arrays.stream(DropReason.values()).map(DropReason::key).collect(Collectors.joining(", "));
    return "reason is '%s', not one of %s%n".formatted(key, known);
  }

  @Override
  public void close() {
    service.close();
  }
}
