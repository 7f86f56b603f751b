package dev.rondo.proof;

import java.security.SecureRandom;

/**
 * Length and intensity of a proof, from system properties.
 *
 * @param seed {@code rondo.proof.seed}: of the load and the faults; by default random
 * @param rounds {@code rondo.proof.rounds}: how often each proof repeats its list of faults
 * @param speed {@code rondo.proof.speed}: speed of the points' clock, relative to real time
 * @param standby {@code rondo.proof.standby}: standby replicas of the topology
 * @param hosts number of hosts that send
 */
record Settings(long seed, int rounds, int speed, int standby, int hosts) {
  private static final int FEW = 8;
  private static final int MANY = 16;

  static Settings current() {
    return of(FEW);
  }

  /** For a proof that runs long by itself. */
  static Settings withManyHosts() {
    return of(MANY);
  }

  private static Settings of(int hosts) {
    return new Settings(
        Long.getLong("rondo.proof.seed", new SecureRandom().nextInt(1_000_000)),
        Integer.getInteger("rondo.proof.rounds", 1),
        Integer.getInteger("rondo.proof.speed", 20),
        Integer.getInteger("rondo.proof.standby", 0),
        hosts);
  }
}
