package dev.rondo.host;

import java.util.Map;

/** Metrics of this machine. */
final class HostMetrics implements Metrics {
  private final String parent;
  private final HostReader reader;
  private HostReading previous;

  HostMetrics(String parent, HostReader reader) {
    this.parent = parent;
    this.reader = reader;
  }

  @Override
  public String parent() {
    return parent;
  }

  @Override
  public Map<String, Double> read() {
    HostReading reading = reader.read();
    Map<String, Double> values =
        previous == null ? reading.gauges() : reading.valuesSince(previous);
    previous = reading;
    return values;
  }
}
