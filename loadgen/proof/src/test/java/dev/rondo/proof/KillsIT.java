package dev.rondo.proof;

import dev.rondo.harness.parts.Services;
import dev.rondo.proof.Proof.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each part is killed once under load, and an instance is frozen. {@link TopologyKillIT} and {@link
 * ServicesKillIT} do so many times.
 */
@Timeout(1800)
class KillsIT {
  @Test
  void shouldStoreEveryPointExactlyOnceWhileEachPartIsKilled() throws Exception {
    try (Proof proof = Proof.start("kills", Settings.current(), Map.of())) {
      Services services = proof.services();
      List<Fault> round = new ArrayList<>();
      for (InstanceFault fault :
          List.of(InstanceFault.KILLED, InstanceFault.AWAY, InstanceFault.FROZEN)) {
        round.addAll(fault.times(1, proof));
      }
      round.add(new Fault("the broker killed and restarted", services::killBroker));
      round.add(new Fault("the Connect worker killed and restarted", services::killConnect));
      round.add(new Fault("PostgreSQL killed and restarted", services::killPostgres));
      proof.inject(round);
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
