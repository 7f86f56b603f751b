package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.door.Door;
import dev.rondo.door.Door.Running;
import dev.rondo.door.Load;
import dev.rondo.door.LocalRondo;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** From the start of a Rondo over load and kills to the verdict. */
final class Run {
  private static final Duration DRAIN_BOUND = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int VERIFY_WAIT_SECONDS = 180;

  /** Topics, one after the other, and the consumer group that takes points from there. */
  private static final List<Way> WAY_OF_POINTS =
      List.of(
          new Way("rondo", List.of("points")),
          new Way("rondo", List.of("rondo-by-series-repartition")),
          new Way("connect-rondo-postgres-sink", List.of("rondo.series", "rondo.bundle-rows")));

  private static final ObjectMapper JSON = new ObjectMapper();

  private record Way(String group, List<String> topics) {}

  private final Door door;
  private final Schedule schedule;
  private final List<String> upOptions;
  private final List<String> loadOptions;
  private final Consumer<String> teller;

  /**
   * @param upOptions of {@code ./rondo up}
   * @param loadOptions of {@code ./rondo loadgen}
   * @param teller is told what happens, line by line
   */
  Run(
      Door door,
      Schedule schedule,
      List<String> upOptions,
      List<String> loadOptions,
      Consumer<String> teller) {
    this.door = door;
    this.schedule = schedule;
    this.upOptions = upOptions;
    this.loadOptions = loadOptions;
    this.teller = teller;
  }

  void tell(String line) {
    teller.accept(line);
  }

  /**
   * @param isKept whether Rondo is to run on
   */
  Outcome call(boolean isKept) throws IOException, InterruptedException, ExecutionException {
    try (LocalRondo rondo = LocalRondo.up(door, upOptions);
        SecondTopology second = SecondTopology.start(door.root(), door.dir())) {
      Map<Part, Victim> victims = victims(rondo, second);
      awaitReady(victims);
      tell("all parts are ready; the load begins");
      Load load = Load.begin(door, "chaos", loadOptions);
      List<Struck> struck = new Assault(victims, teller).strike(schedule, load::isOver);
      JsonNode loaded = load.await();
      double drainSeconds = drain(rondo.address("kafka"));
      tell("drained %.1f s after the load; every slot is compared now".formatted(drainSeconds));
      Map<Part, Integer> restarts = new EnumMap<>(Part.class);
      victims.forEach((part, victim) -> restarts.put(part, victim.restarts()));
      Running verify = door.start("verify", verifyOptions(load));
      int exitCode = verify.await();
      if (exitCode > 1) {
        throw verify.failed();
      }
      JsonNode verdict = JSON.readTree(verify.output());
      boolean isRemoved = !isKept && exitCode == 0;
      if (isKept) {
        rondo.leave();
      } else if (isRemoved) {
        rondo.removeAtEnd();
      }
      return new Outcome(
          struck, restarts, loaded, drainSeconds, verdict, exitCode, isRemoved ? null : door.dir());
    }
  }

  private static Map<Part, Victim> victims(LocalRondo rondo, SecondTopology second) {
    var victims = new EnumMap<Part, Victim>(Part.class);
    for (Part part : Part.values()) {
      victims.put(
          part, part.supervised() == null ? second : new SupervisedPart(rondo, part.supervised()));
    }
    return victims;
  }

  private static void awaitReady(Map<Part, Victim> victims) throws InterruptedException {
    while (!victims.values().stream().allMatch(Victim::isReady)) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  /** Returns when all points that were sent are consolidated and in the tables; in seconds. */
  private static double drain(String bootstrap) throws InterruptedException, ExecutionException {
    long began = System.nanoTime();
    for (Way way : WAY_OF_POINTS) {
      try (var backlog = new Backlog(bootstrap, way.group(), way.topics())) {
        for (long offsets = backlog.offsets(); offsets > 0; offsets = backlog.offsets()) {
          if (System.nanoTime() - began > DRAIN_BOUND.toNanos()) {
            throw new IllegalStateException(
                "%d records still wait for the group %s, %d s after the load"
                    .formatted(offsets, way.group(), DRAIN_BOUND.toSeconds()));
          }
          Thread.sleep(LOOK.toMillis());
        }
      }
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private static List<String> verifyOptions(Load load) {
    return List.of("--plan=" + load.plan(), "--wait=" + VERIFY_WAIT_SECONDS, "--json");
  }
}
