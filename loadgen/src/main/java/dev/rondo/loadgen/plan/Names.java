package dev.rondo.loadgen.plan;

/**
 * How the series of a run are called.
 *
 * @param machine one machine, which is the key where keys are machines
 * @param ident a series, as Rondo stores it: canonical text
 */
public record Names(Template machine, Template ident) {
  private static final String MACHINE = "m{machine:05d}";

  /** A path alone: {@code load.a7f3.m00042.metric07}. */
  public static Names path(String run, boolean hasGenerations) {
    String machine = machine(hasGenerations);
    return of(machine, "load." + run + "." + machine + ".metric{metric:02d}");
  }

  /** With the machine as a tag: {@code load.a7f3.metric07;host=m00042}. */
  public static Names tagged(String run, boolean hasGenerations) {
    String machine = machine(hasGenerations);
    return of(machine, "load." + run + ".metric{metric:02d};host=" + machine);
  }

  private static Names of(String machine, String ident) {
    return new Names(new Template(machine), new Template(ident));
  }

  private static String machine(boolean hasGenerations) {
    return hasGenerations ? MACHINE + ".g{generation}" : MACHINE;
  }
}
