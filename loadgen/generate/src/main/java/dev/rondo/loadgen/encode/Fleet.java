package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.Template;

/** The machines of a run, and the names of their series. */
public final class Fleet {
  private final String run;
  private final Names names;
  private final int series;
  private final int metrics;
  private final Members members;
  private final SeriesTexts idents;

  /**
   * The fleet of a run.
   *
   * @param run name of the run, part of its series' names
   * @param names of its series and machines
   * @param series number of series
   * @param metrics series per machine
   */
  public Fleet(String run, Names names, int series, int metrics) {
    this(run, names, series, metrics, 1);
  }

  private Fleet(String run, Names names, int series, int metrics, int oneOf) {
    this.run = run;
    this.names = names;
    this.series = series;
    this.metrics = metrics;
    this.members = Members.of(names.ident(), series, metrics, oneOf);
    this.idents = texts(names.ident().toString());
  }

  /** The fleet of a plan. */
  public static Fleet of(Plan plan) {
    return new Fleet(
        plan.run(), plan.names(), plan.grid().series(), plan.grid().metrics(), plan.oneOf());
  }

  public String run() {
    return run;
  }

  Names names() {
    return names;
  }

  /** Series per machine. */
  public int metrics() {
    return metrics;
  }

  /** Number of machines; the last one may have fewer series. */
  public int machines() {
    return (series + metrics - 1) / metrics;
  }

  /** Name of a machine. */
  public Template machine() {
    return names.machine();
  }

  /** Idents of all series; cached once, shared by all callers. */
  public SeriesTexts idents() {
    return idents;
  }

  /** A text per series, filled in from a {@link Template}. */
  SeriesTexts texts(String template) {
    return texts(new Template(template)::fill);
  }

  /** Bytes per series. */
  SeriesTexts texts(SeriesTexts.Text text) {
    return new SeriesTexts(series, metrics, members.renumber(text));
  }
}
