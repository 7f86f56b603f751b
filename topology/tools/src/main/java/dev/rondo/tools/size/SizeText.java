package dev.rondo.tools.size;

import dev.rondo.topology.policy.Spans;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a sizing as text. */
public final class SizeText {
  /** Defaults of the settings that a large deployment must raise. */
  private static final long MAX_SERIES = 1_000_000;

  private static final long NEW_SERIES_BURST = 500_000;
  private static final double NEW_SERIES_PER_SECOND = 2_000;

  private final List<String> lines = new ArrayList<>();

  private SizeText() {}

  static List<String> lines(Deployment deployment, Sizing sizing) {
    var text = new SizeText();
    text.head(deployment, sizing);
    text.topology(sizing);
    text.broker(deployment, sizing);
    text.postgres(deployment, sizing);
    text.api(sizing);
    text.settings(deployment, sizing);
    text.limits(sizing);
    text.sureness(Coefficients.FILE);
    return text.lines;
  }

  private void head(Deployment deployment, Sizing sizing) {
    lines.add(
        "%,d series every %s s, %s source, %,d a record: %,.0f points/s, %,.0f values/s"
            .formatted(
                deployment.series(),
                number(deployment.intervalSeconds()),
                deployment.isKeyed() ? "keyed" : "unkeyed",
                deployment.batch(),
                sizing.points(),
                sizing.values()));
    lines.add("");
  }

  private void topology(Sizing sizing) {
    Sizing.Topology topology = sizing.topology();
    lines.add("Topology");
    line(
        "instances",
        "%,d, %,.0f series each".formatted(topology.instances(), topology.instanceSeries()));
    line(
        "CPU",
        "%.2f cores each, %.1f in all".formatted(topology.instanceCores(), topology.cores()));
    line(
        "heap",
        "%s each, with the share of a lost instance"
            .formatted(bytes(topology.instanceHeapBytes())));
    line("partitions", "%,d, of each source and by series".formatted(sizing.partitions()));
  }

  private void broker(Deployment deployment, Sizing sizing) {
    Sizing.Broker broker = sizing.broker();
    lines.add("Kafka, replication factor " + deployment.replication());
    line("CPU", "%.1f cores of all brokers".formatted(broker.cores()));
    line(
        "disk",
        "%s/s written, %s kept"
            .formatted(bytes(broker.diskBytesPerSecond()), bytes(broker.diskBytes())));
    line(
        "  sources",
        "%s for %s (--retention)"
            .formatted(
                bytes(broker.sourceBytes()),
                Spans.format(Math.round(1000 * deployment.retentionSeconds()))));
    line(
        "  rows",
        "%s for 7d (retention.ms of rondo.bundle-rows)".formatted(bytes(broker.rowBytes())));
    line("  state", bytes(broker.stateBytes()));
    line(
        "network",
        "%s/s in, %s/s out"
            .formatted(bytes(broker.inBytesPerSecond()), bytes(broker.outBytesPerSecond())));
    lines.add("Connect");
    line(
        "tasks",
        "%d, %.1f cores in all".formatted(sizing.connect().tasks(), sizing.connect().cores()));
  }

  private void postgres(Deployment deployment, Sizing sizing) {
    Sizing.Postgres postgres = sizing.postgres();
    lines.add("PostgreSQL");
    line("CPU", "%.1f cores, without queries".formatted(postgres.cores()));
    line("rows", "%,.0f/s of up to %d values".formatted(postgres.rowsPerSecond(), Sizing.WIDTH));
    line("WAL", "%s/s".formatted(bytes(postgres.walBytesPerSecond())));
    line("disk", bytes(postgres.diskBytes()));
    for (int n = 0; n < postgres.archiveBytes().size(); n++) {
      var shape = deployment.archives().get(n).shape();
      line(
          "  %s:%s".formatted(Spans.format(shape.stepMs()), Spans.format(shape.spanMs())),
          bytes(postgres.archiveBytes().get(n)));
    }
    line("  names", bytes(postgres.seriesBytes()));
    line(
        "memory",
        "%s for names and the pages written next".formatted(bytes(postgres.cachedBytes())));
    line("new series", "%,.0f s of CPU if all are new".formatted(postgres.newSeriesCpuSeconds()));
  }

  private void api(Sizing sizing) {
    lines.add("Query API, with PostgreSQL for it");
    line(
        "answers/s",
        "%.0f a core with one series, %.1f with 500, of six hours"
            .formatted(sizing.api().oneSeriesPerCore(), sizing.api().fiveHundredPerCore()));
  }

  private void settings(Deployment deployment, Sizing sizing) {
    lines.add("Settings");
    line("partitions", Integer.toString(sizing.partitions()));
    line("-Xmx", "%.0fm".formatted(Math.ceil(sizing.topology().instanceHeapBytes() / (1 << 20))));
    line("tasks.max", Integer.toString(sizing.connect().tasks()));
    if (deployment.series() > MAX_SERIES) {
      line(
          "max.series",
          "%d or more, of the policy (default %d)".formatted(deployment.series(), MAX_SERIES));
    }
    if (deployment.series() > NEW_SERIES_BURST) {
      line(
          "new.series.*",
          "by default the last of that many new series is accepted after %,.0f min"
              .formatted((deployment.series() - NEW_SERIES_BURST) / NEW_SERIES_PER_SECOND / 60));
    }
  }

  private void limits(Sizing sizing) {
    lines.add("Limits, the first that is met above");
    for (Limit limit : sizing.limits()) {
      lines.add(
          "  %9s series  %s: %s".formatted(count(limit.series()), limit.what(), limit.change()));
    }
  }

  private void sureness(MeasuredCosts costs) {
    lines.add("How sure");
    line("costs", "measured on %s".formatted(costs.machine()));
    costs.measured().forEach(run -> line("", "%s, %s".formatted(run.date(), run.command())));
    line(
        "off by up to",
        costs.errors().entrySet().stream()
            .map(each -> "%s %.0f %%".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", ")));
    line("", "(%s, %s)".formatted(costs.checked().command(), costs.checked().date()));
    line(
        "assumed",
        "CPU of a further replica: %.0f %% of the leader's"
            .formatted(100 * Coefficients.FOLLOWER_SHARE));
    line("your cores", "./rondo bench ingest measures the same costs on them");
  }

  private void line(String what, String value) {
    lines.add("  %-12s %s".formatted(what, value));
  }

  /** Without decimals if it is whole. */
  static String number(double value) {
    return value == Math.rint(value) ? "%.0f".formatted(value) : Double.toString(value);
  }

  private static String count(double series) {
    return series >= 10e6 ? "%,.0f M".formatted(series / 1e6) : "%.1f M".formatted(series / 1e6);
  }

  /** Such as {@code 2.2 TB}. */
  public static String bytes(double bytes) {
    double number = bytes;
    int unit = 0;
    while (number >= 999.5 && unit < UNITS.length - 1) {
      number /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, number < 10 ? "%.1f %s" : "%.0f %s", number, UNITS[unit]);
  }

  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};
}
