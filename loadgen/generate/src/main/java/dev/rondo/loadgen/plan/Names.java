package dev.rondo.loadgen.plan;

/**
 * How the series of a run are called.
 *
 * @param machine one machine, which is the key where keys are machines
 * @param ident a series, as Rondo stores it: canonical text
 */
public record Names(Template machine, Template ident) {
  private static final String MACHINE = "m{machine:05d}";
  private static final String METRIC = "metric{metric:02d}";

  /** A path alone: {@code load.a7f3.m00042.metric07}. */
  public static Names path(String run, boolean hasGenerations) {
    String machine = machine(hasGenerations);
    return of(machine, measurement(run) + "." + machine + "." + METRIC);
  }

  /** With the machine as a tag: {@code load.a7f3.metric07;host=m00042}. */
  public static Names tagged(String run, boolean hasGenerations) {
    String machine = machine(hasGenerations);
    return of(machine, measurement(run) + "." + METRIC + ";host=" + machine);
  }

  /**
   * As collectd names what the plugin {@code load} says: {@code m00042.load-a7f3.gauge-metric07}.
   */
  public static Names collectd(String run, boolean hasGenerations) {
    String machine = machine(hasGenerations);
    return of(machine, machine.replace('.', '_') + ".load-" + run + ".gauge-" + METRIC);
  }

  private static Names of(String machine, String ident) {
    return new Names(new Template(machine), new Template(ident));
  }

  private static String machine(boolean hasGenerations) {
    return hasGenerations ? MACHINE + ".g{generation}" : MACHINE;
  }

  /** What all series of a run begin with, but those of collectd. */
  public static String measurement(String run) {
    return "load." + run;
  }

  /** The text of a metric. */
  public static String metric() {
    return METRIC;
  }
}
