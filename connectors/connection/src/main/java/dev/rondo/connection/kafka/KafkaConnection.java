package dev.rondo.connection.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;

/** Checks whether Kafka answers, and explains why it does not. */
public final class KafkaConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Additional time for brokers that accept connections: a machine may be busy. */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(50);

  private KafkaConnection() {}

  /** Reports that Kafka does not answer. The message is one line: brokers, protocol, reason. */
  public static final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Asks the brokers for the nodes of the cluster.
   *
   * @throws UnavailableException if no broker accepts connections for ten seconds or answers within
   *     a minute, or if the brokers refuse this client
   */
  public static void check(KafkaSettings settings) {
    try {
      check(settings, TIMEOUT);
    } catch (UnavailableException e) {
      if (causes(e).stream().noneMatch(KafkaConnection::isSilence) || !isOpen(settings)) {
        throw e;
      }
      check(settings, BUSY_TIMEOUT);
    }
  }

  private static boolean isOpen(KafkaSettings settings) {
    return servers(settings).stream()
        .anyMatch(server -> PortProbe.speaks(server, settings.protocol()));
  }

  /** Checks with another timeout, for example while brokers restart. */
  public static void check(KafkaSettings settings, Duration timeout) {
    int timeoutMs = Math.toIntExact(timeout.toMillis());
    if (!usesTls(settings)) {
      requirePlaintext(settings);
    }
    Map<String, Object> own =
        Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            timeoutMs / 2,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            timeoutMs);
    try (Admin admin = Admin.create(settings.with(own))) {
      admin.describeCluster().nodes().get(timeoutMs + 1_000L, TimeUnit.MILLISECONDS);
    } catch (KafkaException | ExecutionException | TimeoutException e) {
      throw new UnavailableException(explain(settings, e), e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * Fails early for a TLS port: a plaintext client would read the alert as a length of 350 MB, and
   * run out of memory.
   */
  private static void requirePlaintext(KafkaSettings settings) {
    for (String server : servers(settings)) {
      if (PortProbe.answersByTls(server)) {
        throw new UnavailableException(explain(settings, new TimeoutException()), null);
      }
    }
  }

  /**
   * Explains why a client failed: brokers, protocol, reason. After a timeout, probes the brokers'
   * ports.
   */
  public static String explain(KafkaSettings settings, Throwable failure) {
    return "Kafka at %s (%s): %s"
        .formatted(settings.bootstrap(), protocol(settings), reason(settings, causes(failure)));
  }

  private static String protocol(KafkaSettings settings) {
    String protocol = settings.protocol();
    Object mechanism = settings.properties().get(SaslConfigs.SASL_MECHANISM);
    return protocol.startsWith("SASL_") && mechanism != null
        ? protocol + ", " + mechanism
        : protocol;
  }

  private static boolean usesTls(KafkaSettings settings) {
    return settings.protocol().endsWith("SSL");
  }

  private static List<String> servers(KafkaSettings settings) {
    return Stream.of(settings.bootstrap().split(",")).map(String::strip).toList();
  }

  private static List<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
  }

  private static String reason(KafkaSettings settings, List<Throwable> causes) {
    Throwable last = causes.get(causes.size() - 1);
    boolean isRefused = causes.stream().anyMatch(AuthenticationException.class::isInstance);
    if (!isRefused && causes.stream().anyMatch(KafkaConnection::isSilence)) {
      return servers(settings).stream()
          .map(server -> PortProbe.describe(server, settings.protocol()))
          .distinct()
          .collect(Collectors.joining("; "));
    }
    return TlsFailure.explain(last).orElseGet(() -> message(last));
  }

  private static String message(Throwable failure) {
    String message = String.valueOf(failure.getMessage()).replaceAll("\\s*\\R\\s*", " ");
    boolean mayQuote = message.startsWith("Value not specified for key"); // a piece of a password
    return mayQuote ? "sasl.jaas.config is not KEY=\"VALUE\" ...;" : message;
  }

  /** Whether no broker has answered; such an error has no reason. */
  private static boolean isSilence(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof org.apache.kafka.common.errors.TimeoutException
        || (cause instanceof ConfigException e && e.getMessage().startsWith("No resolvable"));
  }
}
