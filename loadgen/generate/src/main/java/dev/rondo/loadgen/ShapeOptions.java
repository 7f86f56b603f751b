package dev.rondo.loadgen;

import dev.rondo.loadgen.shape.Parameter;
import dev.rondo.loadgen.shape.ShapeKind;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Parameters of the shapes. */
final class ShapeOptions {
  @Option(
      names = "--ramp-from",
      paramLabel = "SHARE",
      description = "ramp: initial share of the rate (default: 0.1).")
  private Double rampFrom;

  @Option(
      names = "--burst-ms",
      paramLabel = "MS",
      description = "burst: length of the window whose points are sent together (default: 10000).")
  private Double burstMs;

  @Option(
      names = "--jitter",
      paramLabel = "SHARE",
      description =
          "jitter, collectors: maximum delay, as a share of the interval between points (default: 0.5; collectors: 0.05).")
  private Double jitter;

  @Option(
      names = "--aligned-share",
      paramLabel = "SHARE",
      description =
          "collectors: share of the machines whose times are rounded down to the interval between points (default: 0.5).")
  private Double alignedShare;

  @Option(
      names = "--jump-ticks",
      paramLabel = "N",
      description = "jumping: number of consecutive points with the same clock error (default: 6).")
  private Double jumpTicks;

  @Option(
      names = "--jump-share",
      paramLabel = "SHARE",
      description =
          "jumping: share of such groups whose clock is off, half of them ahead (default: 0.1).")
  private Double jumpShare;

  @Option(
      names = "--jump-ms",
      paramLabel = "MS",
      description =
          "jumping: the clock error; ./rondo verify expects less than max.future.ms (default:"
              + " 300000).")
  private Double jumpMs;

  @Option(
      names = "--gap-ticks",
      paramLabel = "N",
      description = "gaps: number of consecutive points that a gap omits (default: 3).")
  private Double gapTicks;

  @Option(
      names = "--gap-share",
      paramLabel = "SHARE",
      description = "gaps: share of such groups that are omitted (default: 0.1).")
  private Double gapShare;

  @Option(
      names = "--late-ticks",
      paramLabel = "N",
      description = "late: delay of a late point, in points of its series (default: 2).")
  private Double lateTicks;

  @Option(
      names = "--late-share",
      paramLabel = "SHARE",
      description = "late: share of late points (default: 0.05).")
  private Double lateShare;

  @Option(
      names = "--duplicate-share",
      paramLabel = "SHARE",
      description = "duplicate: share of points sent twice (default: 0.05).")
  private Double duplicateShare;

  @Option(
      names = "--disorder-share",
      paramLabel = "SHARE",
      description = "disorder: share of pairs of points sent in reverse order (default: 0.05).")
  private Double disorderShare;

  @Option(
      names = "--garbage-share",
      paramLabel = "SHARE",
      description = "garbage: share of points preceded by an unreadable record (default: 0.01).")
  private Double garbageShare;

  @Option(
      names = "--churn-ms",
      paramLabel = "MS",
      description = "churn: lifetime of a machine (default: 60000).")
  private Double churnMs;

  /** All parameters of the shape. A parameter of another shape is an error. */
  Map<String, Number> of(ShapeKind kind) {
    Map<String, Double> given = given();
    Map<String, Number> numbers = new LinkedHashMap<>();
    for (Parameter parameter : kind.parameters()) {
      Double number = given.remove(parameter.name());
      numbers.put(parameter.name(), parameter.check(number == null ? parameter.preset() : number));
    }
    if (!given.isEmpty()) {
      String name = given.keySet().iterator().next();
      throw new BadInputException(
          "the shape %s has no %s (--%s, --shape)"
              .formatted(kind.label(), name, name.replace('_', '-')));
    }
    return numbers;
  }

  private Map<String, Double> given() {
    Map<String, Double> given = new LinkedHashMap<>();
    given.put("ramp_from", rampFrom);
    given.put("burst_ms", burstMs);
    given.put("jitter", jitter);
    given.put("aligned_share", alignedShare);
    given.put("jump_ticks", jumpTicks);
    given.put("jump_share", jumpShare);
    given.put("jump_ms", jumpMs);
    given.put("gap_ticks", gapTicks);
    given.put("gap_share", gapShare);
    given.put("late_ticks", lateTicks);
    given.put("late_share", lateShare);
    given.put("duplicate_share", duplicateShare);
    given.put("disorder_share", disorderShare);
    given.put("garbage_share", garbageShare);
    given.put("churn_ms", churnMs);
    given.values().removeIf(number -> number == null);
    return given;
  }
}
