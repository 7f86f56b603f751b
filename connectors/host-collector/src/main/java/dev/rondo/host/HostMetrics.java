package dev.rondo.host;

import java.util.Map;

/** This machine. */
final class HostMetrics implements Metrics {
  private final String parent;
  private final HostReader reader;
  private HostReading earlier;

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
    Map<String, Double> values = earlier == null ? reading.values() : reading.valuesSince(earlier);
    earlier = reading;
    return values;
  }
}
