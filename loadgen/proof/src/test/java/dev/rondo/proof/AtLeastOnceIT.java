package dev.rondo.proof;

import dev.rondo.proof.parts.Instance;
import dev.rondo.proof.parts.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * With {@code processing.guarantee=at_least_once} an instance may read points again after a kill;
 * they are told by their time, so that none is missing and none counts twice.
 */
@Timeout(1800)
class AtLeastOnceIT {
  private static final int KILLS = 3;

  @Test
  void shouldMissNothingThoughInstancesAreKilled() throws Exception {
    Settings settings = Settings.current();
    Map<String, String> config = Map.of("processing.guarantee", "at_least_once");
    try (Proof proof = Proof.start("at-least-once", settings, config)) {
      for (int kill = 0; kill < KILLS * settings.rounds(); kill++) {
        proof.event(
            "an instance killed and started at once",
            () -> {
              Instance instance = proof.any();
              instance.kill();
              instance.start();
            });
      }
      proof.shouldHoldEveryPointInItsSlotOnce();
    }
  }
}
