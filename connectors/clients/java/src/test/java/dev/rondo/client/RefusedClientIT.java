package dev.rondo.client;

import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.secured.SecuredBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that starts before its user exists. */
class RefusedClientIT {
  private static final int REFUSED_POINTS = 30;
  private static final Duration BOUND = Duration.ofMinutes(1);

  @TempDir Path dir;

  @Test
  void shouldPublishOnceItIsAllowedTo() throws Exception {
    try (var broker = SecuredBroker.start(dir, Map.of())) {
      createTopic(broker.broker().bootstrap());
      var settings = new HashMap<String, Object>(broker.scram("late"));
      settings.put("rondo.client.prefix", "shop");
      settings.put("rondo.client.step.ms", 1000L);
      try (var client = new RondoClient(settings)) {
        await("refusals").atMost(BOUND).until(() -> client.dropped() >= REFUSED_POINTS);
        broker.addScramUsers("late");
        await("points").atMost(BOUND).until(() -> client.published() > 0);
      }
    }
  }

  private static void createTopic(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopics.create(admin, List.of(new NewTopic("points", 1, (short) 1)));
    }
  }
}
