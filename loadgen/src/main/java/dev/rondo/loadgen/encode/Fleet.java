package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Template;

/**
 * Whose points are written.
 *
 * @param run names the run in its series
 * @param names of its series and machines
 * @param series how many
 * @param metrics series a machine
 */
public record Fleet(String run, Names names, int series, int metrics) {
  /** A text for each series; as of {@link Template}. */
  SeriesTexts texts(String template) {
    return new SeriesTexts(series, metrics, new Template(template)::fill);
  }

  /** The text of a machine, as a template. */
  String machine() {
    return names.machine().toString();
  }
}
