package dev.rondo.loadgen.shape;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** All shapes, with their parameters. */
public enum ShapeKind {
  /** Each point at its time. */
  STEADY((grid, numbers) -> new Steady(grid)),
  /** The rate grows over the run. */
  RAMP(
      (grid, numbers) -> new Ramp(grid, numbers.share("ramp_from")),
      Parameter.share("ramp_from", 0.1, "initial share of the rate")),
  /** Points of several seconds are sent together. */
  BURST(
      (grid, numbers) -> new Burst(grid, numbers.whole("burst_ms")),
      Parameter.ms("burst_ms", 10_000, "length of the window whose points are sent together")),
  /** Times are not regular. */
  JITTER((grid, numbers) -> new Jitter(grid, numbers.share("jitter")), Parameter.jitter(0.5)),
  /** Regular times, on some machines rounded to the interval. */
  COLLECTORS(
      (grid, numbers) ->
          new Collectors(grid, numbers.share("aligned_share"), numbers.share("jitter")),
      Parameter.share(
          "aligned_share",
          0.5,
          "share of the machines whose times are rounded down to the interval between points"),
      Parameter.jitter(0.05)),
  /** Clocks of machines jump ahead or back, and return. */
  JUMPING(
      (grid, numbers) ->
          new Jumping(
              grid,
              numbers.whole("jump_ticks"),
              numbers.share("jump_share"),
              numbers.whole("jump_ms")),
      Parameter.ticks("jump_ticks", 6, "number of consecutive points with the same clock error"),
      Parameter.share(
          "jump_share", 0.1, "share of such groups whose clock is off, half of them ahead"),
      Parameter.ms(
          "jump_ms", 300_000, "the clock error; ./rondo verify expects less than max.future.ms")),
  /** Series pause for some ticks. */
  GAPS(
      (grid, numbers) -> new Gaps(grid, numbers.whole("gap_ticks"), numbers.share("gap_share")),
      Parameter.ticks("gap_ticks", 3, "number of consecutive points that a gap omits"),
      Parameter.share("gap_share", 0.1, "share of such groups that are omitted")),
  /** Some points are sent some ticks late. */
  LATE(
      (grid, numbers) -> new Late(grid, numbers.whole("late_ticks"), numbers.share("late_share")),
      Parameter.ticks("late_ticks", 2, "delay of a late point, in points of its series"),
      Parameter.share("late_share", 0.05, "share of late points")),
  /** Some points are sent twice. */
  DUPLICATE(
      (grid, numbers) -> new Duplicate(grid, numbers.share("duplicate_share")),
      Parameter.share("duplicate_share", 0.05, "share of points sent twice")),
  /** Some adjacent points are sent in reverse order. */
  DISORDER(
      (grid, numbers) -> new Disorder(grid, numbers.share("disorder_share")),
      Parameter.share("disorder_share", 0.05, "share of pairs of points sent in reverse order")),
  /** Some records cannot be read. */
  GARBAGE(
      (grid, numbers) -> new Garbage(grid, numbers.share("garbage_share")),
      Parameter.share("garbage_share", 0.01, "share of points preceded by an unreadable record")),
  /** Machines are replaced by new ones. */
  CHURN(
      (grid, numbers) -> new Churn(grid, numbers.whole("churn_ms")),
      Parameter.ms("churn_ms", 60_000, "lifetime of a machine")),
  /** As {@link #STEADY}, with defaults for an empty database: 300 000 new series at once. */
  COLD_START((grid, numbers) -> new Steady(grid));

  @SuppressWarnings("ImmutableEnumChecker") // without state
  private final BiFunction<PointGrid, Numbers, Shape> shape;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Parameter> parameters;

  ShapeKind(BiFunction<PointGrid, Numbers, Shape> shape, Parameter... parameters) {
    this.shape = shape;
    this.parameters = List.of(parameters);
  }

  /** Looks up a label; throws {@link IllegalArgumentException} for an unknown one. */
  public static ShapeKind of(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no shape '%s'".formatted(name)));
  }

  /** The name in plans and options, such as {@code cold-start}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The label: picocli matches option values against it. */
  @Override
  public String toString() {
    return label();
  }

  public List<Parameter> parameters() {
    return parameters;
  }

  /** Whether machines have generations, which then are part of the names. */
  public boolean hasGenerations() {
    return this == CHURN;
  }

  /**
   * Creates the shape.
   *
   * @param numbers a value for each of {@link #parameters}, by name
   * @throws IllegalArgumentException if they do not fit the grid
   */
  public Shape on(PointGrid grid, Map<String, Number> numbers) {
    return shape.apply(grid, new Numbers(numbers));
  }
}
