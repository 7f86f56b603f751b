package dev.rondo.chaos.fault;

import static dev.rondo.chaos.part.Part.API;
import static dev.rondo.chaos.part.Part.BROKER;
import static dev.rondo.chaos.part.Part.BROKER_2;
import static dev.rondo.chaos.part.Part.BROKER_3;
import static dev.rondo.chaos.part.Part.CONNECT;
import static dev.rondo.chaos.part.Part.CONNECT_2;
import static dev.rondo.chaos.part.Part.POSTGRES;
import static dev.rondo.chaos.part.Part.TOPOLOGY;
import static dev.rondo.chaos.part.Part.TOPOLOGY_2;

import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.part.Part;
import dev.rondo.harness.FaultSchedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/** Scenarios: which faults hit which parts under which load. */
public enum Scenario {
  /** Each part killed alone, and two pairs. */
  ALL {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>(each(FaultKind.KILL, List.copyOf(Part.usual())));
      round.addAll(pairs(2, random));
      return FaultSchedule.shuffled(round, random);
    }
  },
  /** Random pairs of parts killed at once. */
  PAIRS {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return FaultSchedule.shuffled(pairs(3, random), random);
    }
  },
  BROKER_ALONE(BROKER),
  /** One of the two instances. */
  TOPOLOGY_ALONE(TOPOLOGY, TOPOLOGY_2),
  CONNECT_ALONE(CONNECT),
  POSTGRES_ALONE(POSTGRES),
  API_ALONE(API),
  /**
   * A cluster of three brokers: each is killed alone, one shuts down and stays away, and one is
   * frozen until others lead its partitions. The next fault does not wait until all replicas are in
   * sync.
   */
  BROKERS(BROKER, BROKER_2, BROKER_3) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>(each(FaultKind.KILL, parts()));
      for (FaultKind kind : List.of(FaultKind.AWAY, FaultKind.FREEZE)) {
        Part part = parts().get(random.nextInt(parts().size()));
        round.add(new Fault(kind, List.of(part), overSession(random, longestMs)));
      }
      return FaultSchedule.shuffled(round, random);
    }
  },
  /** No faults, for comparison. */
  NONE {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return List.of();
    }
  },
  /** Partitions move between live instances; points have no keys. */
  REBALANCE(20, options -> List.of(options.unkeyed())) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.LEAVE, TOPOLOGY_2), Fault.of(FaultKind.JOIN, TOPOLOGY_2));
    }
  },
  /** Parts are frozen for longer than any session timeout; broker and PostgreSQL for less. */
  FREEZE(CONNECT, CONNECT_2, TOPOLOGY, TOPOLOGY_2, BROKER, POSTGRES) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>();
      for (Part part : parts()) {
        boolean isAlone = part == BROKER || part == POSTGRES;
        long lasts =
            isAlone ? between(random, SHORT_MS / 3, SHORT_MS) : overSession(random, longestMs);
        round.add(new Fault(FaultKind.FREEZE, List.of(part), lasts));
      }
      return FaultSchedule.shuffled(round, random);
    }
  },
  /**
   * The machine of a part, of a backfill or of a live replay, has a clock that is an hour ahead or
   * behind, and is then set right while the part runs; so has the topology that reads a backlog.
   * The second instance of the topology always has the right time. The broker is never behind: its
   * time is that of records, so points would be too far in the future.
   */
  CLOCKS(TOPOLOGY, CONNECT, API, POSTGRES, BROKER) {
    @Override
    public List<Fault> opening() {
      return List.of(
          new Fault(FaultKind.BACKLOG_AHEAD, List.of(TOPOLOGY, TOPOLOGY_2), SHORT_MS / 2));
    }

    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>();
      for (FaultKind kind : List.of(FaultKind.AHEAD, FaultKind.BEHIND)) {
        for (Part part : parts()) {
          long lasts = between(random, SHORT_MS, OVER_SESSION_MS);
          if (part != BROKER || kind == FaultKind.AHEAD) {
            round.add(new Fault(kind, List.of(part), lasts));
          }
        }
      }
      for (FaultKind kind :
          List.of(
              FaultKind.BACKFILL_AHEAD,
              FaultKind.BACKFILL_BEHIND,
              FaultKind.REPLAY_AHEAD,
              FaultKind.REPLAY_BEHIND)) {
        round.add(new Fault(kind, List.of(), between(random, SHORT_MS, OVER_SESSION_MS)));
      }
      return FaultSchedule.shuffled(round, random);
    }
  },
  /**
   * Hosts have wrong clocks, in a backlog and live; some return from offline with buffered points.
   */
  SKEW(2, LoadOptions::skewed) {
    @Override
    public List<Fault> opening() {
      return List.of(Fault.of(FaultKind.BACKLOG, TOPOLOGY, TOPOLOGY_2));
    }

    @Override
    public List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.FLUSH));
    }
  },
  /** Only a backlog with the senders' times, read by a single instance. */
  BACKLOG(null, options -> List.of()) {
    @Override
    public List<Fault> opening() {
      return List.of(Fault.of(FaultKind.LEAVE, TOPOLOGY_2), Fault.of(FaultKind.BACKLOG, TOPOLOGY));
    }

    @Override
    public List<Fault> round(Random random, long longestMs) {
      return List.of();
    }
  },
  /** Source topics get more partitions; new source topics appear. */
  GROW(4, options -> List.of(options.unkeyed())) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.ADD_PARTITIONS), Fault.of(FaultKind.ADD_TOPIC));
    }
  },
  /** Source topics are deleted, recreated and cut beside others, grow and appear. */
  TOPICS(10, options -> List.of(options.unkeyed())) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Fault> round =
          List.of(
              Fault.of(FaultKind.RECREATE),
              new Fault(FaultKind.REMOVE, List.of(), between(random, SHORT_MS, OVER_SESSION_MS)),
              Fault.of(FaultKind.CUT),
              Fault.of(FaultKind.ADD_PARTITIONS),
              Fault.of(FaultKind.ADD_TOPIC));
      return FaultSchedule.shuffled(round, random);
    }
  },
  /**
   * A server that lacks the newest rows takes the place of PostgreSQL: a restore to a point in
   * time, a replica, a subscriber, a new server with a dump. New series appear all the time, so
   * that ids are given again, to others.
   */
  RESTORE(6, options -> List.of(options.plain(), options.changing())) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return Stream.of(
              FaultKind.BACK_UP,
              FaultKind.RESTORE,
              FaultKind.BACK_UP,
              FaultKind.PROMOTE,
              FaultKind.SWITCH,
              FaultKind.LOAD)
          .map(kind -> Fault.of(kind, POSTGRES))
          .toList();
    }
  },
  /** Parts are replaced one after the other, as in a rolling upgrade. */
  ROLL(TOPOLOGY, TOPOLOGY_2, CONNECT, CONNECT_2, API) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return each(FaultKind.REPLACE, parts());
    }
  },
  /**
   * PostgreSQL forgets slots and gets wrong ones, which backfills and live replays mend while
   * points flow; another backfill adds points that are older than all others. Any part is killed
   * meanwhile, and the jobs; the policies get an archive more and less.
   */
  REPLAY_LIVE(
      19,
      options -> List.of(options.plain()),
      TOPOLOGY,
      TOPOLOGY_2,
      CONNECT,
      POSTGRES,
      API,
      BROKER) {
    @Override
    public List<Fault> opening() {
      return List.of(Fault.of(FaultKind.ADD_OLD));
    }

    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Fault> round = new ArrayList<>();
      for (Part killed : FaultSchedule.shuffled(parts(), random)) {
        round.add(Fault.of(FaultKind.KILL_REPLAY));
        round.add(Fault.of(round.size() % 6 == 1 ? FaultKind.FORGET : FaultKind.FALSIFY));
        round.add(Fault.of(FaultKind.KILL, killed));
      }
      round.add(Fault.of(FaultKind.CHANGE_ARCHIVES));
      return round;
    }
  },
  /** Some senders use a new label value in every point, while others continue. */
  EXPLODE(1, options -> List.of(options.plain())) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      return List.of(Fault.of(FaultKind.EXPLODE));
    }
  },
  /**
   * Versions of the policies are applied; in turn an instance of the topology is killed while it
   * takes one, any part but the broker between two, and nothing. A broker that is away delays the
   * load, so that it would be uncertain which points came before a version.
   */
  POLICIES(30, options -> List.of(options.plain()), TOPOLOGY, TOPOLOGY_2, CONNECT, POSTGRES, API) {
    @Override
    public List<Fault> round(Random random, long longestMs) {
      List<Part> killed = FaultSchedule.shuffled(parts(), random);
      List<Fault> round = new ArrayList<>();
      for (Part between : killed) {
        Part meanwhile = random.nextBoolean() ? TOPOLOGY : TOPOLOGY_2;
        round.add(Fault.of(FaultKind.CHANGE_POLICIES, meanwhile));
        round.add(Fault.of(FaultKind.KILL, between));
        round.add(Fault.of(FaultKind.CHANGE_POLICIES));
      }
      return round;
    }
  };

  /**
   * Over the session timeouts of topology and Connect, 10 s, and of brokers, 9 s; transactions time
   * out after 30 s.
   */
  private static final long OVER_SESSION_MS = 13_000;

  /** Maximum for broker and PostgreSQL: less than the session timeouts. */
  private static final long SHORT_MS = 8_000;

  private final Integer faults;

  @SuppressWarnings("ImmutableEnumChecker") // without state
  private final Function<LoadOptions, List<LoadOptions.Run>> loads;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Part> parts;

  Scenario(Part... parts) {
    this(null, options -> List.of(options.plain()), parts);
  }

  Scenario(Integer faults, Function<LoadOptions, List<LoadOptions.Run>> loads, Part... parts) {
    this.faults = faults;
    this.loads = loads;
    this.parts = List.of(parts);
  }

  /** Looks up a label; throws {@link IllegalArgumentException} for an unknown one. */
  public static Scenario of(String label) {
    for (Scenario scenario : values()) {
      if (scenario.label().equals(label)) {
        return scenario;
      }
    }
    throw new IllegalArgumentException("there is no scenario '%s'".formatted(label));
  }

  /** Name in options and reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace("_alone", "").replace('_', '-');
  }

  /** The parts that its rounds hit. */
  List<Part> parts() {
    return parts;
  }

  /** Faults before the load starts. */
  public List<Fault> opening() {
    return List.of();
  }

  /**
   * One round of faults, without pauses; rounds repeat.
   *
   * @param longestMs maximum time that a part is frozen
   */
  public List<Fault> round(Random random, long longestMs) {
    return FaultSchedule.shuffled(each(FaultKind.KILL, parts), random);
  }

  /** The loads sent during the faults. */
  public List<LoadOptions.Run> loads(LoadOptions options) {
    return loads.apply(options);
  }

  /** Whether it uses more topics than {@code points}. */
  boolean hasTopics() {
    return List.of(SKEW, BACKLOG, GROW, TOPICS, EXPLODE, CLOCKS).contains(this);
  }

  /** Number of faults, spread evenly; null: as many as fit, after random pauses. */
  public Integer faults() {
    return faults;
  }

  private static long overSession(Random random, long longestMs) {
    return between(random, OVER_SESSION_MS, Math.max(longestMs, OVER_SESSION_MS));
  }

  private static long between(Random random, long from, long to) {
    return from + (long) (random.nextDouble() * (to - from));
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
}
