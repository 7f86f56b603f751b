package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Part;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** The kinds of faults. */
public enum FaultKind {
  /** SIGKILL; the supervisor of the part restarts it. */
  KILL("killed") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads) {
      fault.parts().parallelStream().forEach(part -> rondo.target(part).kill());
    }
  },
  /** SIGSTOP, and SIGCONT after a while, as a pause of the machine or of the garbage collector. */
  FREEZE("frozen") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
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
  },
  /** A part shuts down cleanly and stays away for a while, as for maintenance of its machine. */
  AWAY("away:") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      whileStopped(fault, rondo, () -> Thread.sleep(fault.lastsMs()));
    }
  },
  /** An instance of the topology shuts down cleanly; the others take over its partitions. */
  LEAVE("left:") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      rondo.stop(fault.parts());
      rondo.awaitMoved();
    }
  },
  /** An instance of the topology starts and takes over partitions of the others. */
  JOIN("joined:") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      rondo.start(fault.parts());
      rondo.awaitMoved();
    }
  },
  /** A part shuts down cleanly and restarts, from the other installation if there is one. */
  REPLACE("replaced") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      whileStopped(
          fault,
          rondo,
          () -> {
            for (Part part : fault.parts()) {
              rondo.changeVersion(part);
            }
          });
    }
  },
  /** Adds partitions to the source topic. */
  ADD_PARTITIONS("added partitions") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws InterruptedException, ExecutionException {
      rondo.topics().grow(SourceTopics.POINTS, SourceTopics.MORE_PARTITIONS);
    }
  },
  /** Creates a topic that matches the pattern of a source, and sends points to it. */
  ADD_TOPIC("added a topic") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().onNewTopic());
    }
  },
  /** Stops PostgreSQL and copies its data. */
  BACK_UP("backed up") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      whileStopped(fault, rondo, rondo.database()::backUp);
    }
  },
  /** Stops PostgreSQL and puts back the last copy of its data. */
  RESTORE("restored") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      whileStopped(fault, rondo, rondo.database()::restore);
    }
  },
  /** Sends a backlog, with the senders' timestamps, while the topology is stopped. */
  BACKLOG("sent a backlog to the stopped") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      whileStopped(
          fault,
          rondo,
          () -> {
            for (LoadOptions.Run run : loads.options().backlogs()) {
              loads.begin(run).await();
            }
          });
    }
  },
  /** Senders that were offline send everything they buffered at once. */
  FLUSH("flushed by senders that were offline") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().flush());
    }
  },
  /** A label gets a new value in every point: series explosion. */
  EXPLODE("exploded: a label") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().exploding());
    }
  },
  /** Sends points of the past to a topic that is no source, and begins to add them. */
  ADD_OLD("added old points") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().old()).await();
      rondo.replays().addOld();
    }
  },
  /** PostgreSQL forgets some slots; a backfill begins to fill them. */
  FORGET("forgot slots") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.replays().forget(rondo.postgres());
    }
  },
  /** Some slots in PostgreSQL get wrong values; a live replay begins to overwrite them. */
  FALSIFY("falsified slots") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.replays().falsify(rondo.postgres());
    }
  },
  /** SIGKILL to the command that backfills or replays, and perhaps to its workers. */
  KILL_REPLAY("killed the job") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.replays().kill();
    }
  },
  /** Adds an archive to the policies, or removes it again. */
  CHANGE_ARCHIVES("changed archives") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.policies().changeArchives();
    }
  },
  /** Applies the next version of the policies; kills parts while the tasks take it. */
  CHANGE_POLICIES("changed policies") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      rondo.policies().apply(rondo, loads.topics(), () -> KILL.inject(fault, rondo, loads));
    }
  };

  private final String text;

  FaultKind(String text) {
    this.text = text;
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
  public boolean restarts() {
    return List.of(KILL, AWAY, JOIN, REPLACE, BACK_UP, RESTORE, BACKLOG, CHANGE_POLICIES)
        .contains(this);
  }

  /** Whether partitions move between live instances. */
  boolean moves() {
    return this == LEAVE || this == JOIN;
  }

  /** Injects the fault; may return before the parts are ready again. */
  abstract void inject(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException;

  private static void whileStopped(Fault fault, RondoUnderTest rondo, Action action)
      throws IOException, InterruptedException, ExecutionException {
    rondo.stop(fault.parts());
    action.run();
    rondo.start(fault.parts());
  }

  /** What is done while the parts are stopped, or a version of the policies is taken. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException, InterruptedException, ExecutionException;
  }
}
