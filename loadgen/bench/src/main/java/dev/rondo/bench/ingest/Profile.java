package dev.rondo.bench.ingest;

import java.util.Arrays;
import java.util.Locale;

/** Workloads as users have them: most collectors send every 10 s. */
public enum Profile {
  /** A producer that keys by series, in Rondo's format. */
  KEYED("native", true, "series", 1, 600_000, 10),
  /** Graphite lines without keys. */
  UNKEYED("graphite", false, "absent", 1, 600_000, 10),
  /** Graphite lines as a relay sends them: a hundred of a machine per record. */
  RELAY("graphite", false, "absent", 100, 600_000, 10),
  /** Influx lines of ten fields, ten lines of a machine per record. */
  TELEGRAF("influx", false, "absent", 100, 600_000, 10),
  /** Batches of the OpenTelemetry Collector. */
  OTLP("otlp", false, "absent", 500, 600_000, 10),
  /** A hundred points of a machine per record, keyed by machine, in Rondo's format. */
  BATCH("native", true, "machine", 100, 600_000, 10),
  /** Every second: a point closes a slot only every ten points. */
  SECOND("native", true, "series", 1, 300_000, 1),
  /** The same with a hundred points per record. */
  SECOND_BATCH("native", true, "machine", 100, 300_000, 1);

  @SuppressWarnings("ImmutableEnumChecker") // a record of strings and numbers
  private final Workload workload;

  Profile(
      String format, boolean isKeyed, String keys, int batch, int series, double intervalSeconds) {
    this.workload = new Workload(label(), format, isKeyed, keys, batch, series, intervalSeconds);
  }

  public Workload workload() {
    return workload;
  }

  /** The profile with this name. Throws {@link IllegalArgumentException} if there is none. */
  public static Profile of(String name) {
    return Arrays.stream(values())
        .filter(profile -> profile.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is not one of %s"
                        .formatted(
                            name,
                            String.join(
                                ", ", Arrays.stream(values()).map(Profile::label).toList()))));
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
