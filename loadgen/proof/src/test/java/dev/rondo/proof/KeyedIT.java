package dev.rondo.proof;

import dev.rondo.proof.parts.Instance;
import dev.rondo.proof.parts.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of two sources is keyed: its points are consolidated directly, those of the other are merged
 * across partitions first. Instances are killed, and partitions move.
 */
@Timeout(1800)
class KeyedIT {
  private static final int KILLS = 2;

  @TempDir Path dir;

  @Test
  void shouldStoreEveryPointOfKeyedSourcesWhileInstancesAreKilled() throws Exception {
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            sources:
              - {topic: keyed.without-key, format: graphite}
              - {topic: keyed.by-host, format: graphite, keyed: true}
            """);
    Settings settings = Settings.current();
    try (Proof proof = Proof.start("keyed", settings, Map.of("sources.file", sources.toString()))) {
      for (int kill = 0; kill < KILLS * settings.rounds(); kill++) {
        proof.event(
            "an instance killed and restarted at once",
            () -> {
              Instance instance = proof.any();
              instance.kill();
              instance.start();
            });
      }
      proof.event(
          "an instance killed, the other takes its partitions, it comes back",
          () -> {
            Instance instance = proof.any();
            instance.kill();
            proof.awaitTheOthers();
            instance.start();
          });
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
