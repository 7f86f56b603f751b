package dev.rondo.proof;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * With {@code processing.guarantee=at_least_once} an instance may reread points after a kill. It
 * recognises them by their times, so that no point is missing or counted twice.
 */
@Tag("long")
@Timeout(1800)
class AtLeastOnceIT {
  @Test
  void shouldMissNoPointWhileInstancesAreKilled() throws Exception {
    Map<String, String> config = Map.of("processing.guarantee", "at_least_once");
    try (Proof proof = Proof.start("at-least-once", Settings.withManyHosts(), config)) {
      proof.inject(InstanceFault.KILLED.times(4, proof));
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
