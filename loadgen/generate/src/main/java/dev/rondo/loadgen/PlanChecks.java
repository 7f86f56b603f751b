package dev.rondo.loadgen;

import dev.rondo.loadgen.encode.Format;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.send.Keys;
import dev.rondo.loadgen.shape.PointGrid;
import java.util.regex.Pattern;

/** What a plan must hold to, for its points to come as it says. */
final class PlanChecks {
  private static final int MOST_SERIES = 50_000_000;
  private static final int MOST_BATCH = 10_000;
  private static final double MOST_RATE = 1e8;
  private static final double MOST_SECONDS = 1e8;

  /** Ticks closer than this are not kept in order where a series has several partitions. */
  private static final double FAR_APART_MS = 1000;

  /** Nor told apart in seconds: times are whole ms, which may be one too few. */
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
          "%s points/s for so short a time are none (--rate, --seconds)"
              .formatted(text(grid.rate())));
    }
    try {
      plan.shape();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(e.getMessage());
    }
    checkBatch(plan.batch(), grid.metrics(), format, keys);
    checkApart(plan, keys);
  }

  private static void checkBatch(int batch, int metrics, Format format, Keys keys) {
    if (batch > 1 && keys == Keys.SERIES) {
      throw new BadInputException(
          "a record of %d points has no series for its key (--keys, --batch)".formatted(batch));
    }
    if (batch > metrics && keys == Keys.MACHINE) {
      throw new BadInputException(
          "a record of %d points has several machines of %d series: none of them is its key (--keys, --batch, --metrics)"
              .formatted(batch, metrics));
    }
    if (batch > metrics && format != Format.RONDO) {
      throw new BadInputException(
          "only records of the format rondo have several machines: %d points are more than the %d of one (--batch, --metrics, --format)"
              .formatted(batch, metrics));
    }
  }

  private static void checkApart(Plan plan, Keys keys) {
    Number jitter = plan.numbers().get("jitter");
    double apartMs = plan.grid().intervalMs() * (1 - (jitter == null ? 0 : jitter.doubleValue()));
    if (plan.timeUnitMs() > 1 && apartMs < SECONDS_APART_MS) {
      throw new BadInputException(
          "points of a series are %.0f ms apart, and the format %s tells seconds only (--format, --rate, --series)"
              .formatted(apartMs, plan.format()));
    }
    if (!keys.keepsOrder() && apartMs < FAR_APART_MS) {
      throw new BadInputException(
          "points of a series are %.0f ms apart: with %s keys they would not come in order (--keys, --rate, --series)"
              .formatted(apartMs, keys.label()));
    }
  }
}
