package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Decoded points have the same fate whether they are read live, as a backlog or in a replay, even
 * if they are ahead of the clock, as long as no slot is further ahead than its archive allows.
 */
class ReadTimePropertyTest {
  private static final List<String> IDENTS = List.of("a1", "a2", "a3", "a4");
  private static final long START_S = 1_000_000;
  private static final int MOST_AHEAD_S = 3_600;
  private static final int CLOSED_S = 2 * MOST_AHEAD_S;

  /** A point and its arrival. */
  private record Sent(String ident, long tS, double value, long arrivalS) {
    void to(OneTask task) {
      task.send(ident, tS, value);
    }
  }

  @Property(tries = 100)
  void shouldNotDependOnWhenPointsAreRead(@ForAll long seed) {
    Random random = new Random(seed);
    String policy =
        "{name: a, match: '.*', step: 10s, heartbeat: %s, archives: ['10s:1d', 'max:1m:7d']}"
            .formatted(random.nextBoolean() ? "2m" : "0");
    List<Sent> points = points(random);
    OneTask live = new OneTask(START_S, policy);
    long nowS = START_S;
    for (Sent point : points) {
      live.pass(point.arrivalS - nowS);
      nowS = point.arrivalS;
      restart(live, random, 0, policy);
      point.to(live);
    }
    OneTask backlog = new OneTask(nowS + random.nextInt(600), policy);
    for (Sent point : points) {
      restart(backlog, random, random.nextInt(600), policy);
      point.to(backlog);
    }
    OneTask replay = OneTask.ofLiveReplay(nowS + 10 * CLOSED_S, policy);
    for (Sent point : points) {
      restart(replay, random, random.nextInt(600), policy);
      point.to(replay);
    }
    live.pass(CLOSED_S);
    backlog.pass(CLOSED_S);
    replay.sendEnd();
    assertThat(fate(backlog)).as("backlog").isEqualTo(fate(live));
    assertThat(fate(replay)).as("replay").isEqualTo(fate(live));
  }

  private static void restart(OneTask task, Random random, int absentS, String policy) {
    if (random.nextInt(20) == 0) {
      task.restartAfter(absentS, policy);
    }
  }

  private static List<Sent> points(Random random) {
    List<Sent> points = new ArrayList<>();
    long nowS = START_S;
    for (int n = 0; n < 80; n++) {
      nowS += random.nextInt(30);
      int skewS =
          switch (random.nextInt(20)) {
            case 0 -> random.nextInt(MOST_AHEAD_S);
            case 1 -> -random.nextInt(600);
            default -> -random.nextInt(3);
          };
      String ident = IDENTS.get(random.nextInt(IDENTS.size()));
      points.add(new Sent(ident, nowS + skewS, random.nextDouble(), nowS));
    }
    return points;
  }

  /** Drops by reason, and known values by slot. */
  private static Map<String, Double> fate(OneTask task) {
    Map<String, Double> fate = new TreeMap<>();
    for (DropReason reason : DropReason.values()) {
      fate.put(reason.key(), (double) task.dropped(reason));
    }
    for (String ident : IDENTS) {
      task.table.shown(ident).forEach((slot, value) -> fate.put(ident + " " + slot, value));
    }
    return fate;
  }
}
