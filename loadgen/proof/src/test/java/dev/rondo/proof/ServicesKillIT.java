package dev.rondo.proof;

import dev.rondo.harness.parts.Services;
import dev.rondo.proof.Proof.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills the services around the topology under load: broker, Connect and PostgreSQL. */
@Tag("long")
@Timeout(3600)
class ServicesKillIT {
  private static final int OF_EACH = 2;

  @Test
  void shouldStoreEveryPointExactlyOnceWhileServicesAreKilled() throws Exception {
    try (Proof proof = Proof.start("services-kill", Settings.withManyHosts(), Map.of())) {
      Services services = proof.services();
      List<Fault> round = new ArrayList<>();
      for (int n = 0; n < OF_EACH; n++) {
        round.add(new Fault("the broker killed and restarted", services::killBroker));
        round.add(new Fault("the Connect worker killed and restarted", services::killConnect));
        round.add(new Fault("PostgreSQL killed and restarted", services::killPostgres));
      }
      proof.inject(round);
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
