package dev.rondo.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.chaos.fault.ChangingPolicies.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangingPoliciesTest {
  private static final int CHANGES = 20;

  @Test
  void shouldBeTheSameForTheSameSeed() {
    assertThat(versions(7)).isEqualTo(versions(7)).isNotEqualTo(versions(8));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldChangeSomethingEachTime(long seed) {
    List<String> versions = versions(seed);
    IntStream.range(1, versions.size())
        .forEach(n -> assertThat(versions.get(n)).isNotEqualTo(versions.get(n - 1)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldMakeMostKindsOfChanges(long seed) {
    var policies = new ChangingPolicies(seed);
    List<Change> made = IntStream.range(0, CHANGES).mapToObj(n -> policies.change()).toList();
    assertThat(Set.copyOf(made)).hasSizeGreaterThanOrEqualTo(Change.values().length - 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldAlwaysCoverAllSeriesAndKeepTheMeans(long seed) {
    assertThat(versions(seed))
        .allSatisfy(
            version -> assertThat(version).contains("'.*'", "\"wmean:10s:", "\"wmean:60s:"));
  }

  /** The files without their first lines, which name the change. */
  private static List<String> versions(long seed) {
    var policies = new ChangingPolicies(seed);
    List<String> versions = new ArrayList<>(List.of(policies.yaml()));
    for (int n = 0; n < CHANGES; n++) {
      policies.change();
      versions.add(policies.yaml().lines().skip(1).reduce("", (a, b) -> a + "\n" + b));
    }
    return versions;
  }
}
