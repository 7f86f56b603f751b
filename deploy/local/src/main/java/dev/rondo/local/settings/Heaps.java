package dev.rondo.local.settings;

import java.util.Map;

/**
 * Maximum heap of each JVM, as in -Xmx.
 *
 * @param environment environment variables of this process
 */
public record Heaps(Map<String, String> environment) {
  /** Variable with the heap of the topology. */
  static final String TOPOLOGY = "RONDO_TOPOLOGY_HEAP";

  private static final String PATTERN = "[1-9][0-9]*[kmgKMG]";

  public String kafka() {
    return of("RONDO_KAFKA_HEAP", "512m");
  }

  public String connect() {
    return of("RONDO_CONNECT_HEAP", "512m");
  }

  public String topology() {
    return of(TOPOLOGY, "1g");
  }

  public String hostMetrics() {
    return of("RONDO_HOST_METRICS_HEAP", "64m");
  }

  public String fill() {
    return of("RONDO_FILL_HEAP", "64m");
  }

  /**
   * Checks all variables.
   *
   * @throws UserError for the first one that is not a size
   */
  public void check() {
    kafka();
    connect();
    topology();
    hostMetrics();
    fill();
  }

  private String of(String variable, String byDefault) {
    String heap = environment.getOrDefault(variable, byDefault);
    if (!heap.matches(PATTERN)) {
      throw new UserError("%s is '%s', not a size such as 512m or 2g".formatted(variable, heap));
    }
    return heap;
  }
}
