package dev.rondo.connection.kafka;

import static org.apache.kafka.common.config.SaslConfigs.SASL_OAUTHBEARER_ASSERTION_FILE;
import static org.apache.kafka.common.config.SaslConfigs.SASL_OAUTHBEARER_ASSERTION_PRIVATE_KEY_FILE;
import static org.apache.kafka.common.config.SaslConfigs.SASL_OAUTHBEARER_ASSERTION_TEMPLATE_FILE;
import static org.apache.kafka.common.config.SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Allows the OAuth endpoints and files in the settings, which come from the operator. Kafka rejects
 * those that are not in a system property of the JVM, because anyone may configure a connector.
 * Properties that are already set are kept.
 */
final class OauthEndpoints {
  private static final String URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
  private static final String FILES = "org.apache.kafka.sasl.oauthbearer.allowed.files";

  private OauthEndpoints() {}

  static void allow(Map<String, Object> properties) {
    Object url = properties.get(SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL);
    if (url == null) {
      return;
    }
    boolean isFile = url.toString().startsWith("file:");
    allow(URLS, Stream.of(url));
    allow(
        FILES,
        Stream.of(
            isFile ? URI.create(url.toString()).getPath() : null,
            properties.get(SASL_OAUTHBEARER_ASSERTION_FILE),
            properties.get(SASL_OAUTHBEARER_ASSERTION_PRIVATE_KEY_FILE),
            properties.get(SASL_OAUTHBEARER_ASSERTION_TEMPLATE_FILE)));
  }

  private static void allow(String property, Stream<Object> names) {
    String all =
        names.filter(Objects::nonNull).map(Object::toString).collect(Collectors.joining(","));
    if (System.getProperty(property) == null && !all.isEmpty()) {
      System.setProperty(property, all);
    }
  }
}
