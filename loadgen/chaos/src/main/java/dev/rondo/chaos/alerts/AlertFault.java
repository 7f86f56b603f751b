package dev.rondo.chaos.alerts;

import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** A fault, how it continues and ends, and exactly the alerts that it raises. */
public enum AlertFault {
  TOPOLOGY_AWAY(List.of(Part.TOPOLOGY, Part.TOPOLOGY_2), "RondoTopologyDown"),
  INSTANCE_AWAY(List.of(Part.TOPOLOGY_2), "RondoInstanceDown"),
  CONNECT_AWAY(List.of(Part.CONNECT), "RondoConnectDown"),
  POSTGRES_AWAY(List.of(Part.POSTGRES), "RondoPostgresDown"),
  /** It keeps connections and locks, but does not answer. */
  POSTGRES_FROZEN("RondoPostgresDown") {
    @Override
    void begin(AlertSite site) throws IOException, InterruptedException {
      site.rondo().target(Part.POSTGRES).freeze();
    }

    @Override
    void mend(AlertSite site) throws IOException, InterruptedException {
      site.rondo().target(Part.POSTGRES).resume();
    }
  },
  API_AWAY(List.of(Part.API), "RondoApiDown"),
  BROKER_AWAY(List.of(Part.BROKER), "RondoBrokerDown"),
  /** Sessions that stay idle. */
  CONNECTIONS("RondoPostgresConnectionsNearlyUsed") {
    @Override
    void begin(AlertSite site) throws SQLException {
      site.connect(0.9);
    }

    @Override
    void mend(AlertSite site) throws SQLException {
      site.disconnect();
    }
  },
  UNREADABLE("RondoDeadLettersGrow") {
    @Override
    void goOn(AlertSite site) throws InterruptedException, ExecutionException {
      site.send(SourceTopics.POINTS, new byte[] {0, 1, (byte) 0xff});
    }
  },
  FUTURE("RondoPointsOfTheFuture") {
    @Override
    void goOn(AlertSite site) throws InterruptedException, ExecutionException {
      site.send(SourceTopics.POINTS, line("future", Instant.now().getEpochSecond() + 86_400));
    }
  },
  /** Points of one series, each older than the one before. */
  LATE("RondoPointsDropped") {
    @Override
    void goOn(AlertSite site) throws InterruptedException, ExecutionException {
      for (int n = 0; n < MANY; n++) {
        site.send(SourceTopics.POINTS, line("late", Instant.now().getEpochSecond() - site.next()));
      }
    }
  },
  /** A name has a new part in every point, until its policy has all series that it may have. */
  EXPLODE("RondoNewSeriesRefused", "RondoPolicyNearMaxSeries") {
    @Override
    void goOn(AlertSite site) throws InterruptedException, ExecutionException {
      for (int n = 0; n < MANY; n++) {
        site.send(SourceTopics.POINTS, line("boom." + site.next(), Instant.now().getEpochSecond()));
      }
    }

    @Override
    void mend(AlertSite site) throws IOException, InterruptedException {
      site.apply(AlertSite.ROOMY);
    }
  },
  /** Something else writes to the topic of rows. */
  UNREADABLE_ROWS("RondoSinkRejects") {
    @Override
    void goOn(AlertSite site) throws InterruptedException, ExecutionException {
      site.send(site.rondo().sinkTopics().get(1), new byte[] {1, 2, 3});
    }
  },
  /** A backfill whose processes are all killed. */
  REPLAY_KILLED("RondoReplayStuck") {
    @Override
    void begin(AlertSite site) throws IOException, InterruptedException {
      site.killReplay();
    }

    @Override
    void mend(AlertSite site) throws IOException, InterruptedException {
      site.cancelReplay();
    }
  },
  /** Something that is no fault raises no alert. */
  NEW_PARTITIONS {
    @Override
    void begin(AlertSite site) throws InterruptedException, ExecutionException {
      site.rondo().topics().grow(SourceTopics.POINTS, SourceTopics.MORE_PARTITIONS);
    }
  },
  /** The senders stop. */
  SILENCE("RondoNoPoints", "RondoSinkLags") {
    @Override
    void begin(AlertSite site) {
      site.endLoad();
    }

    @Override
    void mend(AlertSite site) throws IOException, InterruptedException {
      site.beginLoad();
    }
  };

  private static final int MANY = 100;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable copy
  private final Set<String> raised;

  /** Parts that are stopped meanwhile. */
  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Part> away;

  AlertFault(String... raised) {
    this(List.of(), raised);
  }

  AlertFault(List<Part> away, String... raised) {
    this.away = away;
    this.raised = new TreeSet<>(List.of(raised));
  }

  /** The alerts that it raises, without those that follow from them. */
  Set<String> raised() {
    return Collections.unmodifiableSet(raised);
  }

  /** Name in options and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The fault with this {@link #label}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static AlertFault of(String label) {
    return Arrays.stream(values())
        .filter(fault -> fault.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no fault '%s'; there are %s".formatted(label, labels())));
  }

  /** The names of all. */
  public static String labels() {
    return Arrays.stream(values()).map(AlertFault::label).collect(Collectors.joining(", "));
  }

  /** Begins the fault. */
  void begin(AlertSite site)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    if (!away.isEmpty()) {
      site.rondo().stop(away);
    }
  }

  /** Called about once a second from its begin until it is mended. */
  void goOn(AlertSite site) throws InterruptedException, ExecutionException {}

  /** Ends the fault. */
  void mend(AlertSite site)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    if (!away.isEmpty()) {
      site.rondo().start(away);
    }
  }

  private static byte[] line(String name, long second) {
    return "%s 1 %d".formatted(name, second).getBytes(StandardCharsets.UTF_8);
  }
}
