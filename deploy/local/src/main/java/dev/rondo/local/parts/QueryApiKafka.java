package dev.rondo.local.parts;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rondo.connection.kafka.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * Converts settings of Kafka's Java clients for the query API, which uses librdkafka: TLS with
 * stores of any type, client certificates, and passwords (PLAIN, SCRAM). The environment passes
 * them, because they contain secrets, except the CAs, for which it may be too small.
 */
public final class QueryApiKafka {
  private static final String VARIABLE = "RONDO_API_KAFKA_";
  private static final Set<String> MECHANISMS = Set.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512");

  private QueryApiKafka() {}

  /** Whether the query API can connect with these settings. */
  public static boolean canConnect(KafkaSettings kafka) {
    return !usesSasl(kafka) || MECHANISMS.contains(mechanism(kafka));
  }

  /**
   * Returns the variables of the query API, without servers if it cannot connect.
   *
   * @param folder for a file of CAs
   * @throws KafkaException if a store cannot be read
   */
  public static Map<String, String> environment(KafkaSettings kafka, Path folder) {
    Map<String, String> environment = new TreeMap<>();
    if (!canConnect(kafka)) {
      environment.put(VARIABLE + "BOOTSTRAP_SERVERS", "");
      return environment;
    }
    environment.put(VARIABLE + "BOOTSTRAP_SERVERS", kafka.bootstrap());
    environment.put(VARIABLE + "SECURITY_PROTOCOL", kafka.protocol());
    var config = new AbstractConfig(AdminClientConfig.configDef(), kafka.properties(), false);
    if (usesSasl(kafka)) {
      environment.put(VARIABLE + "SASL_MECHANISM", mechanism(kafka));
      addPassword(config, environment);
    }
    if (kafka.protocol().endsWith("SSL")) {
      addTls(config, folder, environment);
    }
    return environment;
  }

  private static boolean usesSasl(KafkaSettings kafka) {
    return kafka.protocol().startsWith("SASL_");
  }

  private static String mechanism(KafkaSettings kafka) {
    return kafka
        .properties()
        .getOrDefault(SaslConfigs.SASL_MECHANISM, SaslConfigs.DEFAULT_SASL_MECHANISM)
        .toString();
  }

  private static void addPassword(AbstractConfig config, Map<String, String> environment) {
    Map<String, ?> login =
        JaasContext.loadClientContext(config.values()).configurationEntries().get(0).getOptions();
    environment.put(VARIABLE + "SASL_USERNAME", String.valueOf(login.get("username")));
    environment.put(VARIABLE + "SASL_PASSWORD", String.valueOf(login.get("password")));
  }

  private static void addTls(AbstractConfig config, Path folder, Map<String, String> environment) {
    String checksName =
        config.getString(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG).isEmpty()
            ? "none"
            : "https";
    environment.put(VARIABLE + "SSL_ENDPOINT_IDENTIFICATION_ALGORITHM", checksName);
    try (var stores = new DefaultSslEngineFactory()) {
      stores.configure(config.values());
      if (stores.truststore() != null) {
        Path file = folder.resolve("kafka-ca.pem");
        Files.writeString(file, certificates(stores.truststore()));
        environment.put(VARIABLE + "SSL_CA_LOCATION", file.toString());
      }
      if (stores.keystore() != null) {
        addKey(stores.keystore(), keyPassword(config), environment);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the CAs of Kafka for the query API", e);
    } catch (GeneralSecurityException e) {
      throw new KafkaException(
          "the stores of Kafka's settings cannot be read: " + e.getMessage(), e);
    }
  }

  private static String certificates(KeyStore store) throws GeneralSecurityException {
    StringBuilder pem = new StringBuilder();
    for (String alias : Collections.list(store.aliases())) {
      pem.append(pem("CERTIFICATE", store.getCertificate(alias).getEncoded()));
    }
    return pem.toString();
  }

  private static void addKey(KeyStore store, char[] password, Map<String, String> environment)
      throws GeneralSecurityException {
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        Key key = store.getKey(alias, password);
        StringBuilder chain = new StringBuilder();
        for (Certificate certificate : store.getCertificateChain(alias)) {
          chain.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        environment.put(VARIABLE + "SSL_KEY_PEM", pem("PRIVATE KEY", key.getEncoded()));
        environment.put(VARIABLE + "SSL_CERTIFICATE_PEM", chain.toString());
        return;
      }
    }
  }

  /** Returns the password of the key; by default that of its store. */
  private static char[] keyPassword(AbstractConfig config) {
    Password own = config.getPassword(SslConfigs.SSL_KEY_PASSWORD_CONFIG);
    Password password =
        own != null ? own : config.getPassword(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG);
    return password == null ? new char[0] : password.value().toCharArray();
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, text, what);
  }
}
