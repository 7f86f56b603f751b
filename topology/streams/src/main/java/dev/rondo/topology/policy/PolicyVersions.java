package dev.rondo.topology.policy;

/** The known versions of the policies. Safe to share between threads. */
public interface PolicyVersions {
  /** Returns the version that applies. */
  VersionedPolicies latest();

  /**
   * Returns the version with a number; waits if it is not known yet.
   *
   * @throws IllegalStateException if it stays unknown for a minute
   */
  VersionedPolicies await(int number);

  /** A single version, number 1. */
  static PolicyVersions of(String yaml) {
    VersionedPolicies only = VersionedPolicies.parse(1, yaml);
    return new PolicyVersions() {
      @Override
      public VersionedPolicies latest() {
        return only;
      }

      @Override
      public VersionedPolicies await(int number) {
        return only;
      }
    };
  }
}
