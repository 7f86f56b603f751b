package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.PoliciesFile;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class JobPlannerTest {
  private static final long NOW_MS = 1_777_888_800_000L;

  private static JobPlanner planner(String policies) {
    var properties = new Properties();
    properties.put("bootstrap.servers", "localhost:9092");
    properties.put("state.dir", "state");
    return new JobPlanner(TopologyConfig.of(properties), PoliciesFile.parse(policies));
  }

  @Test
  void shouldNameThePolicyWhoseSlotsCloseLast() {
    var planner =
        planner(
            """
            policies:
              - {name: quick, match: 'a.*', step: 10s, heartbeat: 1m, archives: ['10s:1h']}
              - {name: slow, match: 'b.*', step: 1h, heartbeat: 2h, archives: ['1h:30d']}
              - {name: late, match: 'c.*', step: 10s, heartbeat: 1m, reorder: 1h, archives: ['10s:6h']}
            """);

    assertThat(planner.closesLast()).isEqualTo("slow");
    assertThat(planner.closedMs(NOW_MS)).isBetween(NOW_MS - 7_500_000, NOW_MS - 7_200_000);
  }
}
