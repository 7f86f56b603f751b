package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A replay from any time, at any speed, leaves the table of rows bit-identical. */
class ReplayTablePropertyTest {
  private static final String[] IDENTS = {"a1", "a2", "a3", "a4"};
  private static final String[] POLICIES = {
    policy("30s", "0", false),
    policy("30s", "20s", false),
    policy("0", "0", false),
    policy("0", "20s", false),
    policy("30s", "0", true),
    policy("30s", "20s", true),
    policy("0", "0", true),
    policy("0", "20s", true)
  };

  private static String policy(String heartbeat, String reorder, boolean emitsOpen) {
    return "{name: a, match: '^a', step: 10s, heartbeat: %s, reorder: %s, emit.open: %b, archives: ['10s:1h', '1m:2h', 'max:1m:2h', 'sum:2m:1d:0', '5m:1d:0.1']}"
        .formatted(heartbeat, reorder, emitsOpen);
  }

  private record Sent(String ident, long tS, double value) {}

  @Property(tries = 300)
  void shouldLeaveTheTableAsItWas(@ForAll long seed) {
    Random random = new Random(seed);
    String policy = POLICIES[random.nextInt(POLICIES.length)];
    boolean pace = random.nextBoolean();
    long nowS = 100_000;
    OneTask task = new OneTask(nowS, policy);
    List<Sent> log = new ArrayList<>();
    for (int n = 0; n < 200; n++) {
      if (random.nextInt(3) > 0) {
        long tS = nowS - (policy.contains("reorder: 0") ? 0 : random.nextInt(15));
        Sent sent = new Sent(IDENTS[random.nextInt(IDENTS.length)], tS, random.nextDouble());
        log.add(sent);
        task.send(sent.ident(), sent.tS(), sent.value());
      } else {
        long seconds = random.nextInt(random.nextInt(10) == 0 ? 45 : 8);
        nowS += seconds;
        task.pass(seconds);
      }
    }
    task.pass(2_000);
    Map<String, String> before = table(task);
    int from = random.nextInt(log.size());
    task.replay(policy);
    for (Sent sent : log.subList(from, log.size())) {
      task.send(sent.ident(), sent.tS(), sent.value());
      if (pace && random.nextInt(10) == 0) {
        task.pass(random.nextInt(3));
      }
    }
    task.pass(2_000);
    Map<String, String> after = table(task);
    assertThat(differences(before, after)).as("%s from %d", policy, from).isEmpty();
  }

  private static List<String> differences(Map<String, String> before, Map<String, String> after) {
    List<String> differences = new ArrayList<>();
    Set<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    for (String key : keys) {
      if (!Objects.equals(before.get(key), after.get(key))) {
        differences.add("%s: %s, now %s".formatted(key, before.get(key), after.get(key)));
      }
    }
    return differences;
  }

  private static Map<String, String> table(OneTask task) {
    Map<String, String> table = new TreeMap<>();
    task.table.ts.forEach(
        (key, slot) -> table.put(key.toString(), slot.endMs() + Arrays.toString(slot.dp())));
    return table;
  }
}
