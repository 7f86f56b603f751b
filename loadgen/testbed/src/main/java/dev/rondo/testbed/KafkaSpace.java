package dev.rondo.testbed;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Topics and groups of one test class on the shared broker: all names begin with its prefix, as
 * those of a Rondo whose {@code rondo.prefix} it is.
 */
public record KafkaSpace(String bootstrap, String prefix) implements AutoCloseable {
  /** {@code PREFIX-name}, which may be a source: those with a dot belong to Rondo. */
  public String source(String name) {
    return prefix + "-" + name;
  }

  /** {@code PREFIX.name}, a topic of Rondo. */
  public String topic(String name) {
    return prefix + "." + name;
  }

  /** Settings of a client. */
  public Map<String, Object> client() {
    return Map.of("bootstrap.servers", bootstrap);
  }

  /** Deletes its topics. */
  @Override
  public void close() throws ExecutionException {
    try (Admin admin = Admin.create(client())) {
      List<String> own =
          admin.listTopics().names().get().stream()
              .filter(name -> name.startsWith(prefix + ".") || name.startsWith(prefix + "-"))
              .toList();
      admin.deleteTopics(own).all().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
