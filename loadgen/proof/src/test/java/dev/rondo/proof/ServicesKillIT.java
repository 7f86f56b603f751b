package dev.rondo.proof;

import dev.rondo.proof.parts.Machine;
import dev.rondo.proof.parts.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills the services around the topology under load: broker, Connect and PostgreSQL. */
@Timeout(3600)
class ServicesKillIT {
  private static final int OF_EACH = 2;

  @Test
  void shouldStoreEveryPointExactlyOnceWhileServicesAreKilled() throws Exception {
    Settings settings = Settings.current();
    try (Proof proof = Proof.start("services-kill", settings, Map.of())) {
      Machine machine = proof.machine();
      Map<String, Proof.Event> events =
          Map.of(
              "the broker killed and restarted", machine::killBroker,
              "the Connect worker killed and restarted", machine::killConnect,
              "PostgreSQL killed and restarted", machine::killPostgres);
      for (int round = 0; round < settings.rounds(); round++) {
        List<String> order = new ArrayList<>();
        for (int n = 0; n < OF_EACH; n++) {
          order.addAll(events.keySet());
        }
        Collections.sort(order); // so that the order depends only on the seed
        Collections.shuffle(order, proof.random());
        for (String what : order) {
          proof.event(what, events.get(what));
        }
      }
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }
}
