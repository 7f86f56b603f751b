package dev.rondo.tools.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import org.junit.jupiter.api.Test;

class PolicyEffectsTest {
  private static final Policies BEFORE = PoliciesFile.parse(Policies.DEFAULT_YAML);

  @Test
  void shouldTellWhatASeriesTakesUnderItsNextPolicy() {
    Policies next =
        PoliciesFile.parse(
            """
            policies:
              - {name: app, match: '^app', step: 10s, archives: ["10s:7d", "1h:1y"]}
              - {name: default, match: '.*', step: 10s, archives: ["10s:6h", "1m:7d", "1h:1y"]}
            """);
    var effects = new PolicyEffects(BEFORE, next);
    for (int n = 0; n < 19_000; n++) {
      effects.add("host.s" + n, "default");
    }
    for (int n = 0; n < 2_000; n++) {
      effects.add("app.s" + n, "default");
    }

    assertThat(effects.lines())
        .containsExactly(
            "2,000 of 21,000 series get another policy",
            "  default -> app: 2,000, app.s0, app.s1, app.s2, ...",
            // 21,000 slots of a series: 182 segments; then 164, and 18 of 69,240 slots
            "PostgreSQL, with full archives: 4.7 GB -> 5.7 GB, at least 3,822,000 -> 4,690,320 rows",
            "values a second: 2,456 -> 2,423; CPU of all parts to write them: 0.003 -> 0.003 cores");
  }
}
