package dev.rondo.history.job;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The archives of the policies of a job. */
final class JobPolicies {
  private final Policies policies;
  private final Map<List<Object>, Optional<Kept>> known = new HashMap<>();

  JobPolicies(Policies policies) {
    this.policies = policies;
  }

  /** An archive and its policy. */
  record Kept(Policy policy, Archive archive) {
    /** Time that the archive covers, ms. */
    long spanMs() {
      return archive.shape().spanMs();
    }
  }

  /** The archive of a policy with the function and step of a row; empty if it has none. */
  Optional<Kept> archive(String policy, String cf, long stepMs) {
    return known.computeIfAbsent(
        List.of(policy, cf, stepMs),
        key ->
            all(policy).stream()
                .filter(
                    kept ->
                        kept.archive().function().key().equals(cf)
                            && kept.archive().shape().stepMs() == stepMs)
                .findFirst());
  }

  /** All archives of a policy; none if it does not exist. */
  List<Kept> all(String policy) {
    return policies.named(policy).stream()
        .flatMap(each -> each.archives().stream().map(archive -> new Kept(each, archive)))
        .toList();
  }

  /** The longest step, ms. */
  long coarsestMs() {
    return policies.inOrder().stream()
        .flatMap(policy -> policy.archives().stream())
        .mapToLong(archive -> archive.shape().stepMs())
        .max()
        .orElse(1);
  }
}
