package dev.rondo.bench.points;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Labels;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.Naming;
import dev.rondo.formats.Template;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Cost of naming a point with six labels: as the format defines it, by a template, and with labels
 * dropped by three regular expressions.
 *
 * <pre>
 *   rules       ns a name   B allocated a name
 *   none              518                  152
 *   template         1333                  240
 *   labels            716                  120
 *
 *   ./rondo bench points NamingBenchmark -f 1 -wi 3 -w 1 -i 8 -r 1
 *   OpenJDK 17.0.15, 2 busy cores of an Intel Xeon: the times vary by a half and more, the
 *   bytes are exact.
 * </pre>
 */
public class NamingBenchmark extends NanosBenchmark {
  @Param({"none", "template", "labels"})
  private String rules;

  private final Labels labels = new Labels();
  private Naming naming;

  /** Compiles the rules. */
  @Setup
  public void compile() {
    naming = new Naming(1024, 64, nameRules());
  }

  private NameRules nameRules() {
    return switch (rules) {
      case "template" ->
          new NameRules(
              Optional.of(Template.parse("host.measurement.field.tags", "template")),
              "telegraf",
              List.of(),
              Map.of());
      case "labels" ->
          new NameRules(
              Optional.empty(),
              "",
              List.of(
                  Pattern.compile("pod_.*"),
                  Pattern.compile(".*_uid"),
                  Pattern.compile("instance")),
              Map.of("node", "host"));
      default -> NameRules.NONE;
    };
  }

  /** Measurement, field and labels → ident. */
  @Benchmark
  public String ident() throws DroppedException {
    labels
        .clear()
        .put("cpu", "cpu-total")
        .put("dc", "us-east-1")
        .put("host", "web01.example.org")
        .put("instance", "web01:9100")
        .put("pod_ip", "10.1.2.3")
        .put("rack", "r17");
    return naming.ident("cpu", "usage_idle", labels);
  }
}
