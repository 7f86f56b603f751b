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

/** Finds out whether Kafka answers, and why it does not. */
public final class KafkaConnection {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** More time for brokers that accept connections: their machine or this one may be busy. */
  private static final Duration MORE_PATIENCE = Duration.ofSeconds(50);

  private KafkaConnection() {}

  /** Kafka does not answer. The message is one line: brokers, protocol, reason. */
  public static final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Asks the brokers for the nodes of the cluster.
   *
   * @throws UnavailableException if none accepts connections for ten seconds, if they do and do not
   *     answer within a minute, or if they refuse this client
   */
  public static void check(KafkaSettings settings) {
    try {
      check(settings, PATIENCE);
    } catch (UnavailableException e) {
      if (causes(e).stream().noneMatch(KafkaConnection::isSilence) || !isOpen(settings)) {
        throw e;
      }
      check(settings, MORE_PATIENCE);
    }
  }

  private static boolean isOpen(KafkaSettings settings) {
    return servers(settings).stream()
        .anyMatch(server -> PortProbe.speaks(server, settings.protocol()));
  }

  /** The same with another time to answer, for example while brokers restart. */
  public static void check(KafkaSettings settings, Duration patience) {
    int answerMs = Math.toIntExact(patience.toMillis());
    if (!usesTls(settings)) {
      requirePlaintext(settings);
    }
    Map<String, Object> own =
        Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            answerMs / 2,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            answerMs);
    try (Admin admin = Admin.create(settings.with(own))) {
      admin.describeCluster().nodes().get(answerMs + 1_000L, TimeUnit.MILLISECONDS);
    } catch (KafkaException | ExecutionException | TimeoutException e) {
      throw new UnavailableException(explain(settings, e), e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** A client would take the alert of TLS for the length of 350 MB, and run out of memory. */
  private static void requirePlaintext(KafkaSettings settings) {
    for (String server : servers(settings)) {
      if (PortProbe.answersByTls(server)) {
        throw new UnavailableException(explain(settings, new TimeoutException()), null);
      }
    }
  }

  /**
   * Explains why a client failed: brokers, protocol, reason. If the client only ran out of time,
   * the brokers' ports are asked what they speak.
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

  /** Whether no broker has answered; the client does not say why. */
  private static boolean isSilence(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof org.apache.kafka.common.errors.TimeoutException
        || (cause instanceof ConfigException e && e.getMessage().startsWith("No resolvable"));
  }
}
