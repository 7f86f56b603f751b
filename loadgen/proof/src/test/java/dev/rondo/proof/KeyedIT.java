package dev.rondo.proof;

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
      proof.inject(InstanceFault.KILLED.times(KILLS, proof));
      proof.inject(InstanceFault.AWAY.times(1, proof));
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
