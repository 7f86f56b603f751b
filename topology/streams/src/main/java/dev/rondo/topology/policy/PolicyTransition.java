package dev.rondo.topology.policy;

import dev.rondo.schemas.Ident;
import java.util.Optional;

/**
 * Which policy a series has after a change of the policies. A series that has its policy by name
 * and tags gets the one that covers it now. One that has it from its source keeps it while it
 * exists, and so does a series that no other policy covers or that one drops.
 *
 * @param before version that the series was in until now
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
