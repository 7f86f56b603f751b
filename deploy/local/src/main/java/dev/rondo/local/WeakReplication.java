package dev.rondo.local;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.kafka.ReplicationCheck;
import dev.rondo.local.settings.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;

/** Warns of topics in the user's Kafka that do not survive the loss of a broker. */
final class WeakReplication {
  /** Topics of Rondo, of its Connect worker, and Kafka's own that exactly-once depends on. */
  private static final Pattern NAMES = Pattern.compile("rondo[.-].*|__(consumer|transaction)_.*");

  private WeakReplication() {}

  /**
   * Returns one line per weakness, and one with the command that prints the remedy; empty without
   * weaknesses.
   */
  static List<String> lines(KafkaSettings kafka) {
    List<String> lines = new ArrayList<>();
    try (Admin admin = Admin.create(kafka.properties())) {
      ReplicationCheck.of(admin, topic -> NAMES.matcher(topic).matches())
          .weaknesses()
          .forEach(weakness -> lines.add("warning: " + weakness.text()));
      if (!lines.isEmpty()) {
        String config = kafka.file().map(" --kafka-config %s"::formatted).orElse("");
        lines.add(
            "./rondo check replication --kafka %s%s prints the remedy"
                .formatted(kafka.bootstrap(), config));
      }
    } catch (ExecutionException e) {
      lines.add("warning: the replication of topics could not be checked: " + Failures.line(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return lines;
  }
}
