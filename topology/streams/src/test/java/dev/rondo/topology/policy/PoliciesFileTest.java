package dev.rondo.topology.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.settings.SettingException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesFileTest {
  @Test
  void shouldReadTheDefault() {
    Policies policies = PoliciesFile.parse(Policies.DEFAULT_YAML);
    Policy policy = policies.of(Ident.parse("any.thing;dc=ams")).orElseThrow();
    assertThat(policy.name()).isEqualTo("default");
    assertThat(policy.stepMs()).isEqualTo(10_000);
    assertThat(policy.heartbeatMs()).isEqualTo(120_000);
    assertThat(policy.archives())
        .extracting(Archive::shape)
        .containsExactly(
            new ArchiveShape(10_000, 2160),
            new ArchiveShape(60_000, 10_080),
            new ArchiveShape(3_600_000, 8760));
  }

  @Test
  void shouldReadFunctionXffAndDefaultHeartbeat() {
    Policy policy =
        PoliciesFile.parse(
                """
                policies:
                  - {name: p, match: '^a', step: 1s, archives: ["max:1m:7d", "1h:1y:0.3"]}
                """)
            .inOrder()
            .get(0);
    assertThat(policy.heartbeatMs()).isEqualTo(10_000);
    assertThat(policy.archives().get(0).function()).isEqualTo(ConsolidationFunction.MAX);
    assertThat(policy.archives().get(0).xff()).isEqualTo(0.5);
    assertThat(policy.archives().get(1).function()).isEqualTo(ConsolidationFunction.WMEAN);
    assertThat(policy.archives().get(1).xff()).isEqualTo(0.3);
  }

  @Test
  void shouldReadReorderWindowExpiryAndMaxSeries() {
    Policy policy =
        only("step: 10s, reorder: 30s, expire.after: 2d, max.series: 500, archives: ['10s:6h']");
    assertThat(policy.reorderMs()).isEqualTo(30_000);
    assertThat(policy.expireAfterMs()).isEqualTo(172_800_000);
    assertThat(policy.maxSeries()).isEqualTo(500);
  }

  @Test
  void shouldRejectAnArchiveThatAFuturePointCouldReplace() {
    Policies policies = new Policies(List.of(only("step: 1s, archives: ['1s:5m', '1m:7d']")));
    policies.requireSpansOver(299_999);
    assertThatThrownBy(() -> policies.requireSpansOver(300_000))
        .isInstanceOf(SettingException.class)
        .hasMessageContainingAll("1s:5m", "max.future.ms = 300000 (5m)", "policies[0].archives");
  }

  @Test
  void shouldReadWhetherOpenFinestSlotsAreEmitted() {
    assertThat(only("step: 10s, emit.open: true, archives: ['10s:6h']").emitsOpen()).isTrue();
    assertThat(only("step: 10s, emit.open: false, archives: ['10s:6h']").emitsOpen()).isFalse();
    assertThat(only("step: 10s, archives: ['10s:6h']").emitsOpen()).isFalse();
    assertThat(only("step: 10s, heartbeat: 0, archives: ['10s:6h']").emitsOpen())
        .as("Graphite shows the newest point")
        .isTrue();
  }

  @Test
  void shouldDefaultToNoReorderingAndTheLongestArchiveForExpiry() {
    Policy policy = only("step: 10s, archives: ['10s:6h', '1m:7d']");
    assertThat(policy.reorderMs()).isZero();
    assertThat(policy.expireAfterMs()).isEqualTo(604_800_000);
    assertThat(policy.maxSeries()).isEqualTo(1_000_000);
    assertThat(policy.isWhisper()).isFalse();
    assertThat(policy.silenceMs()).isEqualTo(100_000);
    Policy slow = only("step: 10s, heartbeat: 1d, archives: ['10s:6h']");
    assertThat(slow.expireAfterMs()).as("never before the heartbeat").isEqualTo(86_400_000);
  }

  @Test
  void shouldReadWhisperModeWithGraphitesNameOfTheMean() {
    for (String zero : List.of("0", "0s")) {
      Policy policy = only("step: 10s, heartbeat: " + zero + ", archives: ['avg:10s:6h:0.2']");
      assertThat(policy.isWhisper()).isTrue();
      assertThat(policy.silenceMs()).isEqualTo(10_000);
      assertThat(policy.archives().get(0).function()).isEqualTo(ConsolidationFunction.WMEAN);
    }
  }

  @Test
  void shouldAddIncrementsWithoutAHeartbeat() {
    Policy policy = only("step: 10s, finest: sum, archives: ['10s:6h', '1h:1y', 'max:1h:1y:0.5']");
    assertThat(policy.finest()).isEqualTo(ConsolidationFunction.SUM);
    assertThat(policy.isWhisper()).isTrue();
    assertThat(policy.aggregate()).isEqualTo(ConsolidationFunction.SUM);
    assertThat(policy.emitsOpen()).as("a sum that is not complete").isFalse();
    assertThat(policy.archives()).extracting(Archive::xff).containsExactly(0.0, 0.0, 0.5);
    assertThat(policy.archives().get(1).function()).isEqualTo(ConsolidationFunction.SUM);
    assertThat(only("step: 10s, finest: last, archives: ['10s:6h']").finest())
        .isEqualTo(ConsolidationFunction.LAST);
    assertThat(only("step: 10s, archives: ['10s:6h']").finest())
        .isEqualTo(ConsolidationFunction.WMEAN);
  }

  @Test
  void shouldUseTheFunctionOfThePolicyForArchivesWithoutOne() {
    Policy policy =
        only(
            "step: 10s, aggregate: sum, archives: ['10s:6h', '1m:7d', 'wmean:1m:7d', 'max:1h:1y']");
    assertThat(policy.aggregate()).isEqualTo(ConsolidationFunction.SUM);
    assertThat(policy.archives())
        .extracting(Archive::function)
        .containsExactly(
            ConsolidationFunction.WMEAN,
            ConsolidationFunction.SUM,
            ConsolidationFunction.WMEAN,
            ConsolidationFunction.MAX);
    assertThat(only("step: 10s, archives: ['1m:7d']").aggregate())
        .isEqualTo(ConsolidationFunction.WMEAN);
    assertThat(only("step: 1s, heartbeat: 0, aggregate: avg, archives: ['1s:1h']").aggregate())
        .isEqualTo(ConsolidationFunction.WMEAN);
  }

  private static Policy only(String keys) {
    String yaml = "policies: [{name: p, match: '.*', " + keys + "}]";
    return PoliciesFile.parse(yaml).inOrder().get(0);
  }

  @Test
  void shouldUseTheFirstPolicyThatCoversTheSeries() {
    Policies policies =
        PoliciesFile.parse(
            """
            policies:
              - {name: ams, match: 'cpu', tags: {dc: ams}, step: 1s, archives: ["1s:1h"]}
              - {name: cpu, match: '^cpu', step: 1s, archives: ["1s:1h"]}
            """);
    assertThat(policies.of(Ident.parse("host.cpu;dc=ams;os=x")).map(Policy::name)).hasValue("ams");
    assertThat(policies.of(Ident.parse("cpu.user;dc=fra")).map(Policy::name)).hasValue("cpu");
    assertThat(policies.of(Ident.parse("host.cpu;dc=fra"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          archives: ["10s:95s"]   | span 95s is not a multiple of step 10s (policies[0].archives[0])
          archives: ["15s:1h"]    | step 15s is not a multiple of the policy's step 10s (policies[0].archives[0])
          archives: ["10s:1h:2"]  | xff '2' is not a number within 0..1 (policies[0].archives[0])
          archives: ["avg:10s:1h"]| function 'avg' needs heartbeat 0: with a heartbeat the mean is 'wmean' (policies[0].archives[0])
          archives: ["10s"]       | '10s' is not [function:]step:span[:xff] (policies[0].archives[0])
          archives: [ten:1h]      | function 'ten' is not one of wmean, min, max, last, sum (policies[0].archives[0])
          archives: []            | no archive is configured (policies[0].archives)
          archives: ["10s:1h", "10s:1h:0.1"] | '10s:1h:0.1' has the function, step and span of an earlier one (policies[0].archives[1])
          archive: ["10s:1h"]     | unknown key 'archive': did you mean 'archives'? (policies[0].archive)
          {archives: ["10s:1h"], reorder: -1s}     | '-1s' is not a length of time like 500ms, 10s, 1m, 6h, 7d or 1y (policies[0].reorder)
          {archives: ["10s:1h"], max.series: 0}    | max.series '0' is not a whole number within 1..2147483647 (policies[0].max.series)
          {archives: ["10s:1h"], aggregate: median}| function 'median' is not one of wmean, min, max, last, sum (policies[0].aggregate)
          {archives: ["10s:1h"], finest: max}      | finest 'max' is not one of last, sum (policies[0].finest)
          {archives: ["10s:1h"], finest: sum, heartbeat: 1m} | finest needs heartbeat 0: with a heartbeat a point is the value of the time before it (policies[0].finest)
          {archives: ["10s:1h"], aggregate: avg}   | function 'avg' needs heartbeat 0: with a heartbeat the mean is 'wmean' (policies[0].aggregate)
          {archives: ["1m:1h", "sum:1m:1h"], aggregate: sum} | 'sum:1m:1h' has the function, step and span of an earlier one (policies[0].archives[1])
          {archives: ["10s:1h"], emit.open: soon}  | 'soon' is neither true nor false (policies[0].emit.open)
          {archives: ["10s:1h"], expire.after: 99s}| expire.after 99s is less than the heartbeat, 100s (policies[0].expire.after)
          {archives: ["1h:1d"], expire.after: 59m} | expire.after 59m is less than the coarsest step, 1h (policies[0].expire.after)
          drop: true              | policy 'p' drops its series, so it has no step (policies[0].step)
          heartbeat: soon         | 'soon' is not a length of time like 500ms, 10s, 1m, 6h, 7d or 1y (policies[0].heartbeat)
          """)
  void shouldNameThingValueBoundAndKey(String line, String message) {
    String yaml =
        """
        policies:
          - {name: p, match: '.*', step: 10s, %s}
        """
            .formatted(line.startsWith("{") ? line.substring(1, line.length() - 1) : line);
    assertThatThrownBy(() -> PoliciesFile.parse(yaml))
        .isInstanceOf(SettingException.class)
        .hasMessage(message);
  }

  @Test
  void shouldRejectMalformedPoliciesFiles() {
    assertThatThrownBy(() -> PoliciesFile.parse("policies: []"))
        .hasMessageContaining("no policy is configured");
    assertThatThrownBy(() -> PoliciesFile.parse("# nothing yet\n"))
        .hasMessage("it is empty: begin it with 'policies:' and a list below (policies)");
    assertThatThrownBy(() -> PoliciesFile.parse("- a"))
        .hasMessageContaining("is not a mapping of keys to values (the whole file)");
    assertThatThrownBy(() -> PoliciesFile.parse("a: [")).hasMessageContaining("not YAML");
    assertThatThrownBy(() -> PoliciesFile.read(Path.of("/nowhere/policies.yaml")))
        .hasMessageContaining("/nowhere/policies.yaml: cannot be read");
  }

  @Test
  void shouldReadAPolicyThatDropsItsSeries() {
    Policies policies =
        PoliciesFile.parse(
            """
            policies:
              - {name: debug, match: '^debug', tags: {dc: ams}, drop: true}
              - {name: rest, match: '.*', drop: false, step: 1s, archives: ["1s:1h"]}
            """);
    assertThat(policies.drop(Ident.parse("debug.x;dc=ams"))).isTrue();
    assertThat(policies.drop(Ident.parse("debug.x"))).isFalse();
    assertThat(policies.storing("debug")).isEmpty();
    assertThat(policies.haveDropping()).isTrue();
    assertThatThrownBy(() -> PoliciesFile.parse("policies: [{name: p, match: '.*', drop: true}]"))
        .hasMessage("every policy drops its series: nothing would be stored (policies)");
  }

  @Test
  void shouldRefuseTwoPoliciesOfOneNameAndABrokenRegexp() {
    String twice =
        """
        policies:
          - {name: p, match: 'a', step: 1s, archives: ["1s:1h"]}
          - {name: p, match: 'b', step: 1s, archives: ["1s:1h"]}
        """;
    assertThatThrownBy(() -> PoliciesFile.parse(twice))
        .hasMessage("two policies are named 'p' (policies[1].name)");
    assertThatThrownBy(() -> PoliciesFile.parse(twice.replace("'b'", "'('")))
        .hasMessageContaining("'(' is not a regular expression")
        .hasMessageContaining("policies[1].match");
  }
}
