package dev.rondo.proof;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * With {@code processing.guarantee=at_least_once} an instance may reread points after a kill. It
 * recognises them by their times, so that no point is missing or counted twice.
 */
@Timeout(1800)
class AtLeastOnceIT {
  @Test
  void shouldMissNoPointWhileAnInstanceIsKilled() throws Exception {
    kill("at-least-once", Settings.current(), 1);
  }

  @Test
  @Tag("long")
  void shouldMissNoPointWhileInstancesAreKilledOften() throws Exception {
    kill("often-at-least-once", Settings.withManyHosts(), 4);
  }

  private static void kill(String name, Settings settings, int times) throws Exception {
    Map<String, String> config = Map.of("processing.guarantee", "at_least_once");
    try (Proof proof = Proof.start(name, settings, config)) {
      proof.inject(InstanceFault.KILLED.times(times, proof));
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
