package dev.rondo.loadgen.shape;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The shapes that there are, with their parameters. */
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
  /** Points leave together, some seconds of them at once. */
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
  /** Series are silent now and then. */
  GAPS(Parameter.whole("gap_ticks", 3), Parameter.share("gap_share", 0.1)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Gaps(
          grid, numbers.get("gap_ticks").longValue(), numbers.get("gap_share").doubleValue());
    }
  },
  /** Some points come some ticks late. */
  LATE(Parameter.whole("late_ticks", 2), Parameter.share("late_share", 0.05)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Late(
          grid, numbers.get("late_ticks").longValue(), numbers.get("late_share").doubleValue());
    }
  },
  /** Some points come twice. */
  DUPLICATE(Parameter.share("duplicate_share", 0.05)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Duplicate(grid, numbers.get("duplicate_share").doubleValue());
    }
  },
  /** Some neighbours come in the wrong order. */
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
  /** Machines go, others come. */
  CHURN(Parameter.whole("churn_ms", 60_000)) {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Churn(grid, numbers.get("churn_ms").longValue());
    }
  },
  /** Steady; what differs is how many: an empty database meets 300 000 series at once. */
  FIREHOSE {
    @Override
    Shape make(PointGrid grid, Map<String, Number> numbers) {
      return new Steady(grid);
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes none that changes
  private final List<Parameter> parameters;

  ShapeKind(Parameter... parameters) {
    this.parameters = List.of(parameters);
  }

  /** The one of this name; another name is an {@link IllegalArgumentException}. */
  public static ShapeKind of(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no shape '%s'".formatted(name)));
  }

  /** The name, as in plans and options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public List<Parameter> parameters() {
    return parameters;
  }

  /** Whether its machines have generations, which are part of the names then. */
  public boolean hasGenerations() {
    return this == CHURN;
  }

  /**
   * The shape.
   *
   * @param numbers one for each of {@link #parameters}, by name
   * @throws IllegalArgumentException where they do not suit the grid
   */
  public Shape on(PointGrid grid, Map<String, Number> numbers) {
    return make(grid, numbers);
  }

  abstract Shape make(PointGrid grid, Map<String, Number> numbers);
}
