package dev.rondo.proof.model;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The policy of a load: its series' names start with the policy's name and a dot. */
public record PolicyRule(String name, long stepMs, long heartbeatMs, List<ArchiveRule> archives) {
  /**
   * Steps of 10 s, 1 min, 5 min and 10 min with every function; the first archive is so short that
   * it wraps around many times.
   */
  public static PolicyRule named(String name) {
    Duration fine = Duration.ofSeconds(10);
    Duration minute = Duration.ofMinutes(1);
    Duration day = Duration.ofDays(1);
    return new PolicyRule(
        name,
        fine.toMillis(),
        Duration.ofMinutes(3).toMillis(),
        List.of(
            ArchiveRule.of("wmean", fine, Duration.ofMinutes(11), 0.5),
            ArchiveRule.of("wmean", fine, day, 0.8),
            ArchiveRule.of("wmean", minute, day, 0.5),
            ArchiveRule.of("min", minute, day, 0.5),
            ArchiveRule.of("max", minute, day, 0.5),
            ArchiveRule.of("last", minute, day, 0.5),
            ArchiveRule.of("sum", minute, day, 0.5),
            ArchiveRule.of("wmean", Duration.ofMinutes(5), day, 0.3),
            ArchiveRule.of("max", Duration.ofMinutes(10), day, 0.9)));
  }

  /** The same without the archive that wraps around. */
  public static PolicyRule withoutWrap(String name) {
    PolicyRule rule = named(name);
    return new PolicyRule(
        name, rule.stepMs, rule.heartbeatMs, rule.archives.subList(1, rule.archives.size()));
  }

  public long coarsestStepMs() {
    return archives.stream().mapToLong(ArchiveRule::stepMs).max().orElseThrow();
  }

  /** As a policies file. */
  public String yaml() {
    return "policies:\n" + yaml(name, "^" + name + "\\.", 1, List.of());
  }

  /**
   * An item of a policies file that stores series by this rule.
   *
   * @param longer factor of the archives' spans
   * @param more archives that the rule does not have
   */
  public String yaml(String name, String match, int longer, List<String> more) {
    return """
          - name: %s
            match: '%s'
            step: %ds
            heartbeat: %ds
            emit.open: true
            archives: [%s]
        """
        .formatted(
            name,
            match,
            stepMs / 1000,
            heartbeatMs / 1000,
            Stream.concat(archives.stream().map(archive -> archive.yaml(longer)), more.stream())
                .collect(Collectors.joining(", ")));
  }
}
