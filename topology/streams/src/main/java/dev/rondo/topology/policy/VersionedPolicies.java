package dev.rondo.topology.policy;

/**
 * The policies of one version.
 *
 * @param number of the version, from 1
 * @param yaml text that they were read from
 */
public record VersionedPolicies(int number, String yaml, Policies policies) {
  /** The policies of a text. */
  public static VersionedPolicies parse(int number, String yaml) {
    return new VersionedPolicies(number, yaml, PoliciesFile.parse(yaml));
  }

  /** Whether both are one version; two instances may have written one number at the same time. */
  public boolean is(VersionedPolicies other) {
    return number == other.number && yaml.equals(other.yaml);
  }
}
