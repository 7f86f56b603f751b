package dev.rondo.proof.parts;

import java.security.SecureRandom;

/**
 * How long and how hard a proof is, by system properties.
 *
 * @param seed {@code rondo.proof.seed}: of the load and of what is killed when; by default another
 *     at each run
 * @param rounds {@code rondo.proof.rounds}: how often each proof goes through its list of events
 * @param speed {@code rondo.proof.speed}: how many times as fast as the wall clock the points' time
 *     runs
 * @param standby {@code rondo.proof.standby}: standby replicas of the topology
 */
public record Settings(long seed, int rounds, int speed, int standby) {
  public static Settings current() {
    return new Settings(
        Long.getLong("rondo.proof.seed", new SecureRandom().nextInt(1_000_000)),
        Integer.getInteger("rondo.proof.rounds", 1),
        Integer.getInteger("rondo.proof.speed", 20),
        Integer.getInteger("rondo.proof.standby", 0));
  }
}
