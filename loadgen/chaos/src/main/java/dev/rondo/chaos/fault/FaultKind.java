package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Part;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** The faults that there are. */
public enum FaultKind {
  /** SIGKILL; the part is started again by its owner. */
  KILL("killed") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads) {
      fault.parts().parallelStream().forEach(part -> rondo.target(part).kill());
    }
  },
  /** SIGSTOP, and SIGCONT after a while: a pause of its machine, or of its collector. */
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
  /** An instance of the topology ends in good order, and the others get its partitions. */
  LEAVE("left:") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      rondo.stop(fault.parts());
      rondo.awaitMoved();
    }
  },
  /** An instance of the topology comes, and gets partitions of the others. */
  JOIN("joined:") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException, ExecutionException {
      rondo.start(fault.parts());
      rondo.awaitMoved();
    }
  },
  /**
   * A part ends in good order and is started again, from the other installation if there is one.
   */
  REPLACE("replaced") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.stop(fault.parts());
      for (Part part : fault.parts()) {
        rondo.changeVersion(part);
      }
      rondo.start(fault.parts());
    }
  },
  /** The topic that is sent to gets more partitions. */
  ADD_PARTITIONS("added partitions") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws InterruptedException, ExecutionException {
      rondo.topics().grow(SourceTopics.POINTS, SourceTopics.MORE_PARTITIONS);
    }
  },
  /** A topic is made that the pattern of a source covers, and points are sent to it. */
  ADD_TOPIC("added a topic") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().onNewTopic());
    }
  },
  /** PostgreSQL is stopped for its data to be copied. */
  BACK_UP("backed up") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.stop(fault.parts());
      rondo.database().backUp();
      rondo.start(fault.parts());
    }
  },
  /** PostgreSQL's data become what they were when they were last copied. */
  RESTORE("restored") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.stop(fault.parts());
      rondo.database().restore();
      rondo.start(fault.parts());
    }
  },
  /** The topology was away; a backlog with the senders' own times waits for it. */
  BACKLOG("sent a backlog to the stopped") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      rondo.stop(fault.parts());
      for (LoadOptions.Run run : loads.options().backlogs()) {
        loads.begin(run).await();
      }
      rondo.start(fault.parts());
    }
  },
  /** Senders that were offline send all that they have kept, at once. */
  FLUSH("flushed by senders that were offline") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().flush());
    }
  },
  /** A label begins to have another value in each point. */
  EXPLODE("exploded: a label") {
    @Override
    void inject(Fault fault, RondoUnderTest rondo, Loads loads)
        throws IOException, InterruptedException {
      loads.begin(loads.options().exploding());
    }
  };

  private final String text;

  FaultKind(String text) {
    this.text = text;
  }

  /** What has happened, as it is told before the names of parts. */
  String text() {
    return text;
  }

  /** As reports have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether its parts are started again by it. */
  public boolean restarts() {
    return List.of(KILL, JOIN, REPLACE, BACK_UP, RESTORE, BACKLOG).contains(this);
  }

  /** Whether partitions move between instances that live. */
  boolean moves() {
    return this == LEAVE || this == JOIN;
  }

  /** Has it happen; the parts need not be ready again then. */
  abstract void inject(Fault fault, RondoUnderTest rondo, Loads loads)
      throws IOException, InterruptedException, ExecutionException;
}
