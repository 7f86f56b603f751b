package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.Template;

/** Whose points are written. */
public final class Fleet {
  private final String run;
  private final Names names;
  private final int series;
  private final int metrics;
  private final SeriesTexts idents;

  /**
   * All series of a run.
   *
   * @param run names the run in its series
   * @param names of its series and machines
   * @param series how many
   * @param metrics series a machine
   */
  public Fleet(String run, Names names, int series, int metrics) {
    this.run = run;
    this.names = names;
    this.series = series;
    this.metrics = metrics;
    this.idents = texts(names.ident().toString());
  }

  /** Of a plan. */
  public static Fleet of(Plan plan) {
    return new Fleet(plan.run(), plan.names(), plan.grid().series(), plan.grid().metrics());
  }

  public String run() {
    return run;
  }

  Names names() {
    return names;
  }

  /** Series a machine. */
  public int metrics() {
    return metrics;
  }

  /** How many there are; the last one may have fewer series. */
  public int machines() {
    return (series + metrics - 1) / metrics;
  }

  /** The text of a machine. */
  public Template machine() {
    return names.machine();
  }

  /** The ident of each series: kept once, whoever asks. */
  public SeriesTexts idents() {
    return idents;
  }

  /** A text for each series; as of {@link Template}. */
  SeriesTexts texts(String template) {
    return texts(new Template(template)::fill);
  }

  /** Bytes for each series. */
  SeriesTexts texts(SeriesTexts.Text text) {
    return new SeriesTexts(series, metrics, text);
  }
}
