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
@Tag("long")
@Timeout(1800)
class KeyedIT {
  @TempDir Path dir;

  @Test
  void shouldStoreEveryPointOfKeyedSourcesExactlyOnce() throws Exception {
    String name = "keyed";
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
    try (Proof proof = Proof.start(name, Settings.withManyHosts(), config)) {
      proof.inject(InstanceFault.KILLED.times(3, proof));
      proof.inject(InstanceFault.AWAY.times(2, proof));
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
