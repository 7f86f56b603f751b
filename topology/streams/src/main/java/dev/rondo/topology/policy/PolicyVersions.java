package dev.rondo.topology.policy;

/** All versions of the policies that are known. Safe to share between threads. */
public interface PolicyVersions {
  /** The version that applies. */
  VersionedPolicies latest();

  /**
   * The version of a number, waiting for it if it is not known yet.
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
