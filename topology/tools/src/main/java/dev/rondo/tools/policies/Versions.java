package dev.rondo.tools.policies;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.PolicyVersionTopic;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The versions of the policies of an application. */
public record Versions(List<PolicyVersion> all) {
  /** Reads them; refuses if there is none. */
  public static Versions read(TopologyConfig config) throws InterruptedException {
    try {
      List<PolicyVersion> all = PolicyVersionTopic.read(config);
      if (!all.isEmpty()) {
        return new Versions(all);
      }
    } catch (IllegalStateException e) {
      throw CommandException.refused(e.getMessage());
    }
    throw CommandException.refused(
        "%s has no version for application.id '%s': start the topology once"
            .formatted(config.topic(Topics.POLICIES).name(), config.getString("application.id")));
  }

  public PolicyVersion latest() {
    return all.get(all.size() - 1);
  }

  PolicyVersion number(int number) {
    return all.stream()
        .filter(version -> version.getNumber() == number)
        .findFirst()
        .orElseThrow(
            () ->
                CommandException.misuse(
                    "there is no version %d, the latest is %d (--version)"
                        .formatted(number, latest().getNumber())));
  }

  /** Number, time and author. */
  static String title(PolicyVersion version) {
    Instant at = Instant.ofEpochMilli(version.getAppliedAt()).truncatedTo(ChronoUnit.SECONDS);
    return "version %d, applied %s by %s"
        .formatted(version.getNumber(), at, version.getAppliedBy());
  }
}
