package dev.rondo.topology.policy;

/**
 * The policies of one version.
 *
 * @param number number of the version, from 1
 * @param yaml text of the policies file
 */
public record VersionedPolicies(int number, String yaml, Policies policies) {
  public static VersionedPolicies parse(int number, String yaml) {
    return new VersionedPolicies(number, yaml, PoliciesFile.parse(yaml));
  }

  /**
   * Whether both are the same version. Two instances may have written the same number at the same
   * time.
   */
  public boolean is(VersionedPolicies other) {
    return number == other.number && yaml.equals(other.yaml);
  }
}
