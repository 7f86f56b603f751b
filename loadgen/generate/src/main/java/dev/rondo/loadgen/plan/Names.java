package dev.rondo.loadgen.plan;

/**
 * Name templates of the machines and series of a run.
 *
 * @param machine name of a machine; the record key with {@code --keys=machine}
 * @param ident canonical ident of a series, as Rondo stores it
 */
public record Names(Template machine, Template ident) {
  private static final String MACHINE = "m{machine:05d}";
  private static final String METRIC = "metric{metric:02d}";

  /** A dotted path: {@code load.a7f3.m00042.metric07}. */
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
   * As collectd names values of the plugin {@code load}: {@code m00042.load-a7f3.gauge-metric07}.
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

  /** Prefix of all series of a run, except with collectd's names. */
  public static String measurement(String run) {
    return "load." + run;
  }

  /** Name of a metric. */
  public static String metric() {
    return METRIC;
  }
}
