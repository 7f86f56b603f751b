package dev.rondo.loadgen.shape;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All shapes, with their parameters. */
public enum ShapeKind {
  /** Each point at its time. */
  STEADY {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Steady(grid);
    }
  },
  /** The rate grows over the run. */
  RAMP(Parameter.share("ramp_from", 0.1)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Ramp(grid, numbers.get("ramp_from").doubleValue());
    }
  },
  /** Points of several seconds are sent together. */
  BURST(Parameter.whole("burst_ms", 10_000)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Burst(grid, numbers.get("burst_ms").longValue());
    }
  },
  /** Times are not regular. */
  JITTER(Parameter.share("jitter", 0.5)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Jitter(grid, numbers.get("jitter").doubleValue());
    }
  },
  /** Regular times, on some machines rounded to the interval. */
  COLLECTORS(Parameter.share("aligned_share", 0.5), Parameter.share("jitter", 0.05)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Collectors(
          grid, numbers.get("aligned_share").doubleValue(), numbers.get("jitter").doubleValue());
    }
  },
  /** Clocks of machines jump ahead or back, and return. */
  JUMPING(
      Parameter.whole("jump_ticks", 6),
      Parameter.share("jump_share", 0.1),
      Parameter.whole("jump_ms", 300_000)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Jumping(
          grid,
          numbers.get("jump_ticks").longValue(),
          numbers.get("jump_share").doubleValue(),
          numbers.get("jump_ms").longValue());
    }
  },
  /** Series pause for some ticks. */
  GAPS(Parameter.whole("gap_ticks", 3), Parameter.share("gap_share", 0.1)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Gaps(
          grid, numbers.get("gap_ticks").longValue(), numbers.get("gap_share").doubleValue());
    }
  },
  /** Some points are sent some ticks late. */
  LATE(Parameter.whole("late_ticks", 2), Parameter.share("late_share", 0.05)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Late(
          grid, numbers.get("late_ticks").longValue(), numbers.get("late_share").doubleValue());
    }
  },
  /** Some points are sent twice. */
  DUPLICATE(Parameter.share("duplicate_share", 0.05)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Duplicate(grid, numbers.get("duplicate_share").doubleValue());
    }
  },
  /** Some adjacent points are sent in reverse order. */
  DISORDER(Parameter.share("disorder_share", 0.05)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Disorder(grid, numbers.get("disorder_share").doubleValue());
    }
  },
  /** Some records cannot be read. */
  GARBAGE(Parameter.share("garbage_share", 0.01)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Garbage(grid, numbers.get("garbage_share").doubleValue());
    }
  },
  /** Machines are replaced by new ones. */
  CHURN(Parameter.whole("churn_ms", 60_000)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Churn(grid, numbers.get("churn_ms").longValue());
    }
  },
  /** As {@link #STEADY}, with defaults for an empty database: 300 000 new series at once. */
  COLD_START {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Steady(grid);
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Parameter> parameters;

  ShapeKind(Parameter... parameters) {
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
    return make(grid, numbers);
  }

  abstract Shape make(PointGrid grid, Map<String, Number> numbers);
}
