package dev.rondo.loadgen;

import dev.rondo.loadgen.encode.Format;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.send.Keys;
import dev.rondo.loadgen.shape.PointGrid;
import java.util.regex.Pattern;

/** Bounds of a plan, and combinations of options that would break the order of points. */
final class PlanChecks {
  private static final int MOST_SERIES = 50_000_000;
  private static final int MOST_INSTANCES = 10_000;

  /** Series of a deployment, whose names are numbered by an int. */
  private static final double MOST_OF_ALL = 1e9;

  private static final int MOST_BATCH = 10_000;
  private static final double MOST_RATE = 1e8;
  private static final double MOST_SECONDS = 1e8;

  /** Across partitions, points of a series closer than this may be reordered. */
  private static final double FAR_APART_MS = 1000;

  /** Whole seconds need more than 1 s between points: times are floored to ms, an error of 1 ms. */
  private static final double SECONDS_APART_MS = 1001;

  private static final Pattern RUN = Pattern.compile("[A-Za-z0-9_]{1,32}");

  private PlanChecks() {}

  static void checkNumbers(
      int series, int metrics, double rate, double seconds, int batch, String run) {
    within("--series", series, 1, MOST_SERIES);
    within("--metrics", metrics, 1, MOST_SERIES);
    within("--rate", rate, 1e-3, MOST_RATE);
    within("--seconds", seconds, 1e-3, MOST_SECONDS);
    within("--batch", batch, 1, MOST_BATCH);
    if (!RUN.matcher(run).matches()) {
      throw new BadInputException(
          "'%s' is not 1 to 32 letters, digits or _ (--run)".formatted(run));
    }
  }

  private static void within(String option, double number, double least, double most) {
    if (!(number >= least && number <= most)) {
      throw new BadInputException(
          "%s is not between %s and %s (%s)"
              .formatted(text(number), text(least), text(most), option));
    }
  }

  private static String text(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  static void check(Plan plan, Format format, Keys keys) {
    PointGrid grid = plan.grid();
    if (grid.points() < 1) {
      throw new BadInputException(
          "%s points/s for so short a time give no point (--rate, --seconds)"
              .formatted(text(grid.rate())));
    }
    try {
      plan.shape();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(e.getMessage());
    }
    checkShare(plan, format, keys);
    checkBatch(plan.batch(), grid.metrics(), format, keys);
    checkApart(plan, keys);
  }

  /** Names of a share have gaps, so that no record can hold all metrics of a machine. */
  private static void checkShare(Plan plan, Format format, Keys keys) {
    within("--one-of", plan.oneOf(), 1, MOST_INSTANCES);
    within("--one-of times --series", (double) plan.oneOf() * plan.grid().series(), 1, MOST_OF_ALL);
    boolean isSeriesAlone =
        plan.batch() == 1
            && keys != Keys.MACHINE
            && (format == Format.NATIVE || format == Format.GRAPHITE)
            && !plan.kind().hasGenerations();
    if (plan.oneOf() > 1 && !isSeriesAlone) {
      throw new BadInputException(
          "--one-of needs one point a record in the format native or graphite, not keyed by machine, and no churn (--batch, --format, --keys, --shape)");
    }
  }

  private static void checkBatch(int batch, int metrics, Format format, Keys keys) {
    if (batch > 1 && keys == Keys.SERIES) {
      throw new BadInputException(
          "a record of %d points has several series: no series can be its key (--keys, --batch)"
              .formatted(batch));
    }
    if (batch > metrics && keys == Keys.MACHINE) {
      throw new BadInputException(
          "a record of %d points has several machines of %d series: no machine can be its key (--keys, --batch, --metrics)"
              .formatted(batch, metrics));
    }
    if (batch > metrics && format != Format.NATIVE) {
      throw new BadInputException(
          "%d points are more than the %d of a machine: only the native format allows several machines per record (--batch, --metrics, --format)"
              .formatted(batch, metrics));
    }
  }

  private static void checkApart(Plan plan, Keys keys) {
    Number jitter = plan.numbers().get("jitter");
    double apartMs = plan.grid().intervalMs() * (1 - (jitter == null ? 0 : jitter.doubleValue()));
    if (plan.timeUnitMs() > 1 && apartMs < SECONDS_APART_MS) {
      throw new BadInputException(
          "points of a series are %.0f ms apart, but the format %s has whole seconds only (--format, --rate, --series)"
              .formatted(apartMs, plan.format()));
    }
    if (!keys.keepsOrder() && apartMs < FAR_APART_MS) {
      throw new BadInputException(
          "points of a series are %.0f ms apart: with %s keys they may arrive out of order (--keys, --rate, --series)"
              .formatted(apartMs, keys.label()));
    }
  }
}
