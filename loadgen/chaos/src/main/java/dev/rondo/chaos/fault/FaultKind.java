package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Clocks;
import dev.rondo.chaos.part.Part;
import dev.rondo.chaos.postgres.NewServer;
import dev.rondo.chaos.postgres.PointInTime;
import dev.rondo.chaos.postgres.Replica;
import dev.rondo.chaos.postgres.Successor;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** The kinds of faults. */
public enum FaultKind {
  /** SIGKILL; the supervisor of the part restarts it. */
  KILL(
      "killed",
      (fault, rondo, loads) ->
          fault.parts().parallelStream().forEach(part -> rondo.target(part).kill())),
  /** SIGSTOP, and SIGCONT after a while, as a pause of the machine or of the garbage collector. */
  FREEZE("frozen", FaultKind::freeze),
  /**
   * A part restarts with a clock that is an hour ahead, is killed and starts again, and has its
   * clock set right while it runs.
   */
  AHEAD(
      "had a clock an hour ahead:",
      (fault, rondo, loads) -> withClock(Clocks.OFF, fault, rondo, loads)),
  /** The same with a clock that is an hour behind. */
  BEHIND(
      "had a clock an hour behind:",
      (fault, rondo, loads) -> withClock(Clocks.OFF.negated(), fault, rondo, loads)),
  /**
   * PostgreSQL forgets some slots; a backfill with such a clock, set right meanwhile, fills them.
   */
  BACKFILL_AHEAD(
      "forgot slots, which a backfill fills with a clock an hour ahead",
      (fault, rondo, loads) -> backfillWithClock(Clocks.OFF, fault, rondo)),
  /** The same with a clock that is an hour behind. */
  BACKFILL_BEHIND(
      "forgot slots, which a backfill fills with a clock an hour behind",
      (fault, rondo, loads) -> backfillWithClock(Clocks.OFF.negated(), fault, rondo)),
  /** The clock is set an hour ahead under a live replay, which overwrites wrong values. */
  REPLAY_AHEAD(
      "falsified slots, and set the clock of their replay an hour ahead",
      (fault, rondo, loads) -> replayWithClock(Clocks.OFF, fault, rondo)),
  /** The same with a clock that is set an hour behind. */
  REPLAY_BEHIND(
      "falsified slots, and set the clock of their replay an hour behind",
      (fault, rondo, loads) -> replayWithClock(Clocks.OFF.negated(), fault, rondo)),
  /** A part shuts down cleanly and stays away for a while, as for maintenance of its machine. */
  AWAY(
      "away:",
      (fault, rondo, loads) -> whileStopped(fault, rondo, () -> Thread.sleep(fault.lastsMs()))),
  /** An instance of the topology shuts down cleanly; the others take over its partitions. */
  LEAVE(
      "left:",
      (fault, rondo, loads) -> {
        rondo.stop(fault.parts());
        rondo.awaitMoved();
      }),
  /** An instance of the topology starts and takes over partitions of the others. */
  JOIN(
      "joined:",
      (fault, rondo, loads) -> {
        rondo.start(fault.parts());
        rondo.awaitMoved();
      }),
  /** A part shuts down cleanly and restarts, from the other installation if there is one. */
  REPLACE("replaced", FaultKind::changeVersions),
  /** Adds partitions to the source topic. */
  ADD_PARTITIONS(
      "added partitions",
      (fault, rondo, loads) ->
          rondo.topics().grow(SourceTopics.POINTS, SourceTopics.MORE_PARTITIONS)),
  /** Creates a topic that matches the pattern of a source, and sends points to it. */
  ADD_TOPIC("added a topic", (fault, rondo, loads) -> loads.begin(loads.options().onNewTopic())),
  /** Deletes a source topic that was read, and creates it again at once. */
  RECREATE("recreated a source topic", FaultKind::replace),
  /** The same, but the topic stays away for a while. */
  REMOVE("removed a source topic", FaultKind::replace),
  /** Deletes records of a source before they are read: they must be counted. */
  CUT("cut a source topic", FaultKind::cut),
  /** Stops PostgreSQL and copies its data. */
  BACK_UP(
      "backed up", (fault, rondo, loads) -> whileStopped(fault, rondo, rondo.database()::backUp)),
  /** PostgreSQL goes back to a point in time: the last copy, and the archived WAL up to it. */
  RESTORE(
      "restored to a point in time",
      (fault, rondo, loads) -> succeed(fault, rondo, PointInTime.mark(rondo.database()))),
  /** An asynchronous replica, made of the last copy, is behind and promoted. */
  PROMOTE(
      "promoted a replica that was behind, instead of",
      (fault, rondo, loads) -> succeed(fault, rondo, Replica.until(rondo.database()))),
  /** A subscriber of another server, which was behind: its sequences stand at their beginning. */
  SWITCH(
      "switched by logical replication from",
      (fault, rondo, loads) ->
          succeed(fault, rondo, NewServer.subscriber(rondo.database(), rondo.cli().root()))),
  /** A new server with an older dump. */
  LOAD(
      "loaded a dump into a new server, instead of",
      (fault, rondo, loads) ->
          succeed(fault, rondo, NewServer.loaded(rondo.database(), rondo.cli().root()))),
  /** Sends a backlog, with the senders' timestamps, while the topology is stopped. */
  BACKLOG(
      "sent a backlog to the stopped",
      (fault, rondo, loads) -> whileStopped(fault, rondo, () -> sendBacklogs(loads))),
  /**
   * The same; the topology then starts with a clock that is an hour ahead, and is set right while
   * the backlog is read.
   */
  BACKLOG_AHEAD(
      "sent a backlog, for a clock an hour ahead, to the stopped", FaultKind::sendBacklogAhead),
  /** Senders that were offline send everything they buffered at once. */
  FLUSH(
      "flushed by senders that were offline",
      (fault, rondo, loads) -> loads.begin(loads.options().flush())),
  /** A label gets a new value in every point: series explosion. */
  EXPLODE("exploded: a label", (fault, rondo, loads) -> loads.begin(loads.options().exploding())),
  /** Sends points of the past to a topic that is no source, and begins to add them. */
  ADD_OLD(
      "added old points",
      (fault, rondo, loads) -> {
        loads.begin(loads.options().old()).await();
        rondo.replays().addOld();
      }),
  /** PostgreSQL forgets some slots; a backfill begins to fill them. */
  FORGET("forgot slots", (fault, rondo, loads) -> rondo.replays().forget(rondo.postgres())),
  /** Some slots in PostgreSQL get wrong values; a live replay begins to overwrite them. */
  FALSIFY("falsified slots", (fault, rondo, loads) -> rondo.replays().falsify(rondo.postgres())),
  /** SIGKILL to the command that backfills or replays, and perhaps to its workers. */
  KILL_REPLAY("killed the job", (fault, rondo, loads) -> rondo.replays().kill()),
  /** Adds an archive to the policies, or removes it again. */
  CHANGE_ARCHIVES("changed archives", (fault, rondo, loads) -> rondo.policies().changeArchives()),
  /** Applies the next version of the policies; kills parts while the tasks take it. */
  CHANGE_POLICIES(
      "changed policies",
      (fault, rondo, loads) ->
          rondo.policies().apply(rondo, loads.topics(), () -> KILL.inject(fault, rondo, loads)));

  /** For how long rows are stored that the successor of a server lacks. */
  private static final long LOST_MS = 10_000;

  /** How a fault is injected. */
  @FunctionalInterface
  private interface Injection {
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException, SQLException;
  }

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // without state
  private final Injection injection;

  FaultKind(String text, Injection injection) {
    this.text = text;
    this.injection = injection;
  }

  /** What happened; the log appends the names of the parts. */
  String text() {
    return text;
  }

  /** The name in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the fault itself restarts the parts. */
  boolean restarts() {
    return List.of(
            KILL,
            AWAY,
            AHEAD,
            BEHIND,
            JOIN,
            REPLACE,
            BACK_UP,
            RESTORE,
            PROMOTE,
            SWITCH,
            LOAD,
            BACKLOG,
            BACKLOG_AHEAD,
            CHANGE_POLICIES)
        .contains(this);
  }

  /** Whether partitions move between live instances. */
  boolean moves() {
    return this == LEAVE || this == JOIN;
  }

  /** Injects the fault; may return before the parts are ready again. */
  void inject(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    injection.inject(fault, rondo, loads);
  }

  private static void freeze(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException {
    for (Part part : fault.parts()) {
      rondo.target(part).freeze();
    }
    try {
      Thread.sleep(fault.lastsMs());
    } finally {
      for (Part part : fault.parts()) {
        rondo.target(part).resume();
      }
    }
  }

  private static void cut(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException {
    LoadOptions.Run run = loads.options().brief(SourceTopics.CUT);
    loads.begin(run).await();
    rondo.awaitRead(SourceTopics.CUT);
    long lost = rondo.lostRecords(SourceTopics.CUT);
    for (Part part : rondo.topologies()) {
      rondo.target(part).freeze();
    }
    try {
      lost += loads.lose(run);
      rondo.topics().cut(SourceTopics.CUT);
    } finally {
      for (Part part : rondo.topologies()) {
        rondo.target(part).resume();
      }
    }
    rondo.awaitLost(SourceTopics.CUT, lost);
    loads.begin(run).await();
  }

  private static void changeVersions(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    whileStopped(
        fault,
        rondo,
        () -> {
          for (Part part : fault.parts()) {
            rondo.changeVersion(part);
          }
        });
  }

  private static void sendBacklogAhead(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    var clocks = new Clocks(rondo.cli().dir());
    whileStopped(
        fault,
        rondo,
        () -> {
          sendBacklogs(loads);
          rondo.replays().spareOthers();
          clocks.set(Part.TOPOLOGY, Clocks.OFF);
        });
    rondo.awaitReady();
    Thread.sleep(fault.lastsMs());
    clocks.set(Part.TOPOLOGY, Duration.ZERO);
  }

  /** The successor lacks the rows of a while. */
  private static void succeed(Fault fault, RondoUnderTest rondo, Successor successor)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    Thread.sleep(LOST_MS);
    whileStopped(fault, rondo, successor::takeOver);
  }

  private static void replace(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException {
    LoadOptions.Run run = loads.options().brief(SourceTopics.REPLACED);
    loads.begin(run).await();
    rondo.awaitRead(SourceTopics.REPLACED);
    rondo.topics().delete(SourceTopics.REPLACED);
    Thread.sleep(fault.lastsMs());
    rondo.topics().createAgain(SourceTopics.REPLACED, loads.options().partitions());
    loads.begin(run).await();
  }

  private static void withClock(Duration ahead, Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    whileStopped(fault, rondo, () -> setClocks(fault, ahead, rondo));
    rondo.awaitReady();
    if (fault.isKilledMeanwhile()) {
      KILL.inject(fault, rondo, loads);
      rondo.awaitReady();
    }
    Thread.sleep(fault.lastsMs());
    setClocks(fault, Duration.ZERO, rondo);
  }

  private static void backfillWithClock(Duration ahead, Fault fault, RondoUnderTest rondo)
      throws IOException, InterruptedException {
    var clocks = new Clocks(rondo.cli().dir());
    clocks.setOfCommands(ahead);
    rondo.replays().forget(rondo.postgres());
    Thread.sleep(fault.lastsMs());
    clocks.setOfCommands(Duration.ZERO);
  }

  /** It begins with the right time: otherwise it is refused. */
  private static void replayWithClock(Duration ahead, Fault fault, RondoUnderTest rondo)
      throws IOException, InterruptedException {
    var clocks = new Clocks(rondo.cli().dir());
    rondo.replays().falsify(rondo.postgres());
    rondo.replays().awaitReport(rondo.postgres());
    clocks.setOfCommands(ahead);
    Thread.sleep(fault.lastsMs());
    clocks.setOfCommands(Duration.ZERO);
  }

  private static void setClocks(Fault fault, Duration ahead, RondoUnderTest rondo)
      throws IOException {
    var clocks = new Clocks(rondo.cli().dir());
    for (Part part : fault.parts()) {
      clocks.set(part, ahead);
    }
  }

  private static void sendBacklogs(Loads loads) throws IOException, InterruptedException {
    for (LoadOptions.Run run : loads.options().backlogs()) {
      loads.begin(run).await();
    }
  }

  private static void whileStopped(Fault fault, RondoUnderTest rondo, Action action)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    rondo.stop(fault.parts());
    action.run();
    rondo.start(fault.parts());
  }

  /** What is done while the parts are stopped, or a version of the policies is taken. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException, InterruptedException, ExecutionException, SQLException;
  }
}
