package dev.rondo.proof;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of two sources is keyed: its points are consolidated directly, those of the other are merged
 * across partitions first. Instances are killed, and partitions move.
 */
@Timeout(1800)
class KeyedIT {
  @TempDir Path dir;

  @Test
  void shouldStoreEveryPointOfKeyedSourcesWhilePartitionsMove() throws Exception {
    kill("keyed", Settings.current(), 0, 1);
  }

  @Test
  @Tag("long")
  void shouldStoreEveryPointOfKeyedSourcesWhileInstancesAreKilled() throws Exception {
    kill("often-keyed", Settings.withManyHosts(), 3, 2);
  }

  /**
   * @param kills number of kills with a restart at once
   * @param away number of kills after which the partitions move
   */
  private void kill(String name, Settings settings, int kills, int away) throws Exception {
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            sources:
              - {topic: %1$s.without-key, format: graphite}
              - {topic: %1$s.by-host, format: graphite, keyed: true}
            """
                .formatted(name));
    Map<String, String> config = Map.of("sources.file", sources.toString());
    try (Proof proof = Proof.start(name, settings, config)) {
      proof.inject(InstanceFault.KILLED.times(kills, proof));
      proof.inject(InstanceFault.AWAY.times(away, proof));
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
