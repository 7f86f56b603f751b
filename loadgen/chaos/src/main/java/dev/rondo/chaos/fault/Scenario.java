package dev.rondo.chaos.fault;

import static dev.rondo.chaos.part.Part.API;
import static dev.rondo.chaos.part.Part.BROKER;
import static dev.rondo.chaos.part.Part.CONNECT;
import static dev.rondo.chaos.part.Part.CONNECT_2;
import static dev.rondo.chaos.part.Part.POSTGRES;
import static dev.rondo.chaos.part.Part.TOPOLOGY;
import static dev.rondo.chaos.part.Part.TOPOLOGY_2;

import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.part.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Which faults there are, to which parts, under which load. */
public enum Scenario {
  /** Each part killed alone, and two pairs. */
  ALL {
    @Override
    List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>(each(FaultKind.KILL, List.copyOf(Part.usual())));
      round.addAll(pairs(2, random));
      return shuffled(round, random);
    }
  },
  /** Two parts killed at once, whichever. */
  PAIRS {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return shuffled(pairs(3, random), random);
    }
  },
  BROKER_ALONE(BROKER),
  /** One of the two instances. */
  TOPOLOGY_ALONE(TOPOLOGY, TOPOLOGY_2),
  CONNECT_ALONE(CONNECT),
  POSTGRES_ALONE(POSTGRES),
  API_ALONE(API),
  /** For comparison. */
  NONE {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of();
    }
  },
  /** Partitions move between instances that live, and no point of a series has a key. */
  REBALANCE {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.LEAVE, TOPOLOGY_2), Fault.of(FaultKind.JOIN, TOPOLOGY_2));
    }

    @Override
    public List<LoadOptions.Run> loads(LoadOptions options) {
      return List.of(options.unkeyed());
    }

    @Override
    public Integer faults() {
      return 20;
    }
  },
  /** Parts stand still for longer than any session lasts, those that all need for less. */
  FREEZE(CONNECT, CONNECT_2, TOPOLOGY, TOPOLOGY_2, BROKER, POSTGRES) {
    @Override
    List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>();
      for (Part part : parts()) {
        boolean isAlone = part == BROKER || part == POSTGRES;
        long from = isAlone ? SHORT_MS / 3 : OVER_SESSION_MS;
        long to = isAlone ? SHORT_MS : Math.max(longestMs, OVER_SESSION_MS);
        long lasts = from + (long) (random.nextDouble() * (to - from));
        round.add(new Fault(FaultKind.FREEZE, List.of(part), 0, lasts));
      }
      return shuffled(round, random);
    }
  },
  /**
   * Clocks of hosts are off, in a backlog and live, and some come back with what they have kept.
   */
  SKEW {
    @Override
    public List<Fault> opening() {
      return List.of(Fault.of(FaultKind.BACKLOG, TOPOLOGY, TOPOLOGY_2));
    }

    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.FLUSH));
    }

    @Override
    public List<LoadOptions.Run> loads(LoadOptions options) {
      return options.skewed();
    }

    @Override
    public Integer faults() {
      return 2;
    }
  },
  /** A backlog with the senders' times alone, for one instance that has all partitions to read. */
  BACKLOG {
    @Override
    public List<Fault> opening() {
      return List.of(Fault.of(FaultKind.LEAVE, TOPOLOGY_2), Fault.of(FaultKind.BACKLOG, TOPOLOGY));
    }

    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of();
    }

    @Override
    public List<LoadOptions.Run> loads(LoadOptions options) {
      return List.of();
    }
  },
  /** Topics get more partitions, and there come to be more topics. */
  GROW {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.ADD_PARTITIONS), Fault.of(FaultKind.ADD_TOPIC));
    }

    @Override
    public Integer faults() {
      return 4;
    }

    @Override
    public List<LoadOptions.Run> loads(LoadOptions options) {
      return List.of(options.unkeyed());
    }
  },
  /** PostgreSQL is put back to what it was some time ago. */
  RESTORE {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.BACK_UP, POSTGRES), Fault.of(FaultKind.RESTORE, POSTGRES));
    }

    @Override
    public Integer faults() {
      return 6;
    }
  },
  /** One part after the other is replaced, as a release is rolled out. */
  ROLL(TOPOLOGY, TOPOLOGY_2, CONNECT, CONNECT_2, API) {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return each(FaultKind.REPLACE, parts());
    }
  },
  /** A label has another value in each point of some senders, and the others' points go on. */
  EXPLODE {
    @Override
    List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.EXPLODE));
    }

    @Override
    public Integer faults() {
      return 1;
    }
  };

  /** The topology and Connect take 10 s for lost; their transactions may be ended after 30 s. */
  private static final long OVER_SESSION_MS = 13_000;

  /** Most of what others are frozen for: less than the sessions with them. */
  private static final long SHORT_MS = 8_000;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Part> parts;

  Scenario(Part... parts) {
    this.parts = List.of(parts);
  }

  /** The one of this name; another is an {@link IllegalArgumentException}. */
  public static Scenario of(String label) {
    for (Scenario scenario : values()) {
      if (scenario.label().equals(label)) {
        return scenario;
      }
    }
    throw new IllegalArgumentException("there is no scenario '%s'".formatted(label));
  }

  /** As options and reports have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace("_alone", "").replace('_', '-');
  }

  /** Those that it has a round of faults for. */
  List<Part> parts() {
    return parts;
  }

  /** What happens before points are sent. */
  public List<Fault> opening() {
    return List.of();
  }

  /**
   * What happens one after the other, again and again, without pauses yet.
   *
   * @param longestMs most that a part is frozen
   */
  List<Fault> round(Random random, long longestMs) {
    return shuffled(each(FaultKind.KILL, parts), random);
  }

  /** What is sent meanwhile. */
  public List<LoadOptions.Run> loads(LoadOptions options) {
    return List.of(options.plain());
  }

  /** Whether points are sent to more topics than the usual one. */
  boolean hasTopics() {
    return List.of(SKEW, BACKLOG, GROW, EXPLODE).contains(this);
  }

  /** How many faults, evenly over the time; null: as many as fit, after random pauses. */
  public Integer faults() {
    return null;
  }

  static List<Fault> each(FaultKind kind, List<Part> parts) {
    return parts.stream().map(part -> Fault.of(kind, part)).toList();
  }

  static List<Fault> pairs(int count, Random random) {
    List<Part> mixed = new ArrayList<>(Part.usual());
    Collections.shuffle(mixed, random);
    List<Fault> pairs = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      List<Part> pair = mixed.subList(2 * n, 2 * n + 2).stream().sorted().toList();
      pairs.add(Fault.of(FaultKind.KILL, pair.toArray(Part[]::new)));
    }
    return pairs;
  }

  static List<Fault> shuffled(List<Fault> faults, Random random) {
    List<Fault> mixed = new ArrayList<>(faults);
    Collections.shuffle(mixed, random);
    return mixed;
  }
}
