package dev.rondo.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Instances of the topology are killed, stopped, frozen and added under load. */
@Tag("long")
@Timeout(3600)
class TopologyKillIT {
  @Test
  void shouldStoreEveryPointExactlyOnceWhileInstancesAreKilled() throws Exception {
    try (Proof proof = Proof.start("topology-kill", Settings.withManyHosts(), Map.of())) {
      List<Proof.Fault> round = new ArrayList<>(InstanceFault.KILLED.times(6, proof));
      round.addAll(InstanceFault.AWAY.times(3, proof));
      round.addAll(InstanceFault.STOPPED.times(1, proof));
      round.addAll(InstanceFault.FROZEN.times(1, proof));
      round.addAll(InstanceFault.JOINED.times(1, proof));
      proof.inject(round);
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
