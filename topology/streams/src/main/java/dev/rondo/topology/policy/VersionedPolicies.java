package dev.rondo.topology.policy;

/**
 * The policies of one version.
 *
 * @param number of the version, from 1
 */
public record VersionedPolicies(int number, Policies policies) {}
