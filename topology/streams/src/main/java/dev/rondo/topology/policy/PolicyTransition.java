package dev.rondo.topology.policy;

import dev.rondo.schemas.Ident;
import java.util.Optional;

/**
 * Decides the policy of a series after a change of the policies. A series whose policy was selected
 * by name and tags gets the policy that matches it now. A series keeps its policy, while it exists,
 * if its source selected it, if a policy drops the series, or if none matches.
 *
 * @param before previous version
 */
public record PolicyTransition(Policies before, Policies next) {
  /**
   * The policy of a series from now on; empty if none covers it and its own was removed.
   *
   * @param policy name of its policy until now
   */
  public Optional<Policy> of(Ident ident, String policy) {
    Optional<Policy> own = next.storing(policy);
    boolean isMatched = before.storing(ident).map(Policy::name).filter(policy::equals).isPresent();
    if (next.drop(ident) || (own.isPresent() && !isMatched)) {
      return own;
    }
    return next.of(ident).or(() -> own);
  }
}
