package dev.rondo.local.parts;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.local.state.HttpProbe;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;

/** Reports the source topics that a start of the topology has created. */
final class CreatedSources {
  /** A source with partitions; a pattern without a topic has none. */
  private static final Pattern READ =
      Pattern.compile("(?m)^rondo_sources_partitions\\{source=\"(.+)\"} ([1-9]\\d*)");

  private final String metricsUrl;
  private final Optional<Set<String>> before;

  /** Must be called before the topology starts. */
  CreatedSources(KafkaSettings kafka, String metricsUrl) {
    this.metricsUrl = metricsUrl;
    this.before = topics(kafka);
  }

  /**
   * Returns a line for each topic; empty if that is unknown. Must be called once the topology runs.
   */
  List<String> lines() {
    if (before.isEmpty()) {
      return List.of();
    }
    try {
      return READ.matcher(HttpProbe.get(metricsUrl))
          .results()
          .filter(read -> !before.get().contains(read.group(1)))
          .map(
              read ->
                  "created source topic %s with %s partitions, as it did not exist"
                      .formatted(read.group(1), read.group(2)))
          .toList();
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static Optional<Set<String>> topics(KafkaSettings kafka) {
    try (Admin admin = Admin.create(kafka.properties())) {
      return Optional.of(admin.listTopics().names().get());
    } catch (ExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
