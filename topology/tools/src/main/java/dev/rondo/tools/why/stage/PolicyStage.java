package dev.rondo.tools.why.stage;

import dev.rondo.schemas.Ident;
import dev.rondo.schemas.PolicyVersion;
import dev.rondo.tools.why.facts.Facts;
import dev.rondo.tools.why.facts.Facts.Archive;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.topics.PolicyVersionTopic;
import java.util.List;
import java.util.Optional;

/** The policy of the series, and the one that covers it in the latest version of the policies. */
public final class PolicyStage {
  private PolicyStage() {}

  public static Facts.Policy read(TopologyConfig config, String ident, Name name)
      throws InterruptedException {
    return Attempt.of(() -> policy(config, ident, name), Facts.Policy::failed);
  }

  private static Facts.Policy policy(TopologyConfig config, String ident, Name name)
      throws InterruptedException {
    Optional<PolicyVersion> found = latest(config);
    if (found.isEmpty()) {
      return Facts.Policy.failed("the topology has never run, there is no version of the policies");
    }
    PolicyVersion latest = found.get();
    Policies policies = PoliciesFile.parse(latest.getYaml());
    Optional<Policy> now = covering(config, policies, ident, name);
    Optional<Policy> stored =
        name.location() == null ? now : policies.named(name.location().policy());
    return new Facts.Policy(
        null,
        latest.getNumber(),
        name.location() == null ? null : name.location().policy(),
        now.map(Policy::name).orElse(null),
        inFile(config, ident, name),
        now.filter(Policy::drops).isPresent(),
        stored.map(Policy::stepMs).orElse(0L),
        stored.map(Policy::heartbeatMs).orElse(0L),
        stored.map(Policy::reorderMs).orElse(0L),
        stored.map(Policy::expireAfterMs).orElse(0L),
        stored.stream()
            .flatMap(policy -> policy.archives().stream())
            .map(PolicyStage::of)
            .toList());
  }

  static Optional<PolicyVersion> latest(TopologyConfig config) throws InterruptedException {
    List<PolicyVersion> versions = PolicyVersionTopic.read(config);
    return versions.isEmpty() ? Optional.empty() : Optional.of(versions.get(versions.size() - 1));
  }

  private static Optional<Policy> covering(
      TopologyConfig config, Policies policies, String ident, Name name) {
    return Optional.ofNullable(name.source())
        .flatMap(topic -> config.sourceRules().of(topic))
        .map(Source::policy)
        .filter(policy -> !policy.isEmpty())
        .flatMap(policies::named)
        .or(() -> policies.of(Ident.parse(ident)));
  }

  private static String inFile(TopologyConfig config, String ident, Name name) {
    try {
      return covering(config, config.policies(), ident, name).map(Policy::name).orElse(null);
    } catch (SettingException e) {
      return null; // the file is on another machine
    }
  }

  private static Archive of(dev.rondo.topology.archive.Archive archive) {
    return new Archive(
        archive.function().key(), archive.shape().stepMs(), archive.shape().spanMs());
  }
}
