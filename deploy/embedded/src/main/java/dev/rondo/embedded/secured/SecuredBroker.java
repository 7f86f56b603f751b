package dev.rondo.embedded.secured;

import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * A broker with three listeners: TLS with client certificates, TLS with SASL (PLAIN, SCRAM-SHA-512,
 * OAUTHBEARER), and plaintext. The user of each mechanism is {@link #USER}. Its certificate is for
 * 127.0.0.1, not for localhost.
 */
public final class SecuredBroker implements AutoCloseable {
  public static final String USER = "rondo";
  public static final String PASSWORD = "pass-\"word";

  private static final String MODULES = "org.apache.kafka.common.security.";
  private static final String LISTENER = "listener.name.sasl_ssl.";

  private final Certificates certificates;
  private final TokenServer tokens;
  private final KafkaBroker broker;
  private final int sslPort;
  private final int saslPort;

  private SecuredBroker(
      Certificates certificates,
      TokenServer tokens,
      KafkaBroker broker,
      int sslPort,
      int saslPort) {
    this.certificates = certificates;
    this.tokens = tokens;
    this.broker = broker;
    this.sslPort = sslPort;
    this.saslPort = saslPort;
  }

  /**
   * Starts the broker and its token server.
   *
   * @param dir for data and certificates
   * @param settings additional settings, such as an authorizer
   */
  public static SecuredBroker start(Path dir, Map<String, String> settings)
      throws IOException, ExecutionException, InterruptedException {
    Certificates certificates = Certificates.create(Files.createDirectories(dir.resolve("tls")));
    TokenServer tokens = TokenServer.start(USER, PASSWORD);
    int sslPort = FreePort.choose();
    int saslPort = FreePort.choose();
    Map<String, String> all = settings(certificates, tokens, sslPort, saslPort);
    all.putAll(settings);
    KafkaBroker broker =
        KafkaBroker.start(
            dir,
            0,
            Launch.to(dir.resolve("kafka.log")),
            KafkaBroker.DEFAULT_HEAP,
            List.of("-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + tokens.keysUrl()),
            all);
    var secured = new SecuredBroker(certificates, tokens, broker, sslPort, saslPort);
    secured.addScramUsers(USER);
    return secured;
  }

  private static Map<String, String> settings(
      Certificates certificates, TokenServer tokens, int sslPort, int saslPort) {
    String listeners = "SSL://127.0.0.1:%d,SASL_SSL://127.0.0.1:%d".formatted(sslPort, saslPort);
    Map<String, String> all = new HashMap<>();
    all.put("listeners", listeners);
    all.put("advertised.listeners", listeners);
    all.put(
        "listener.security.protocol.map",
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL");
    all.put("ssl.keystore.location", certificates.brokerStore().toString());
    all.put("ssl.keystore.type", "PKCS12");
    all.put("ssl.keystore.password", Certificates.PASSWORD);
    all.put("ssl.truststore.location", certificates.clientCertificate().toString());
    all.put("ssl.truststore.type", "PEM");
    all.put("listener.name.ssl.ssl.client.auth", "required");
    all.put(LISTENER + "sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512,OAUTHBEARER");
    all.put(
        LISTENER + "plain.sasl.jaas.config",
        "%splain.PlainLoginModule required user_%s=%s;".formatted(MODULES, USER, quoted(PASSWORD)));
    all.put(
        LISTENER + "scram-sha-512.sasl.jaas.config", MODULES + "scram.ScramLoginModule required;");
    all.put(
        LISTENER + "oauthbearer.sasl.jaas.config",
        MODULES + "oauthbearer.OAuthBearerLoginModule required;");
    all.put(
        LISTENER + "oauthbearer.sasl.server.callback.handler.class",
        MODULES + "oauthbearer.OAuthBearerValidatorCallbackHandler");
    all.put("sasl.oauthbearer.jwks.endpoint.url", tokens.keysUrl());
    all.put("sasl.oauthbearer.expected.issuer", tokens.issuer());
    all.put("sasl.oauthbearer.expected.audience", TokenServer.AUDIENCE);
    return all;
  }

  /** Adds SCRAM users with the password {@link #PASSWORD}. */
  public void addScramUsers(String... names) throws ExecutionException, InterruptedException {
    var credential = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
    List<UserScramCredentialAlteration> users = new ArrayList<>();
    for (String name : names) {
      users.add(new UserScramCredentialUpsertion(name, credential, PASSWORD));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      admin.alterUserScramCredentials(users).all().get();
    }
  }

  /** The broker, with its plaintext listener. */
  public KafkaBroker broker() {
    return broker;
  }

  public Certificates certificates() {
    return certificates;
  }

  /** Client settings for the TLS listener, with a client certificate. */
  public Map<String, String> mutualTls() {
    Map<String, String> settings = tls("SSL", sslPort);
    settings.put("ssl.keystore.type", "PEM");
    settings.put("ssl.keystore.location", certificates.clientKey().toString());
    return settings;
  }

  /** Client settings for the SASL listener, with PLAIN. */
  public Map<String, String> plain() {
    return password("PLAIN", "plain.PlainLoginModule", USER);
  }

  /** Client settings for the SASL listener, with SCRAM-SHA-512. */
  public Map<String, String> scram() {
    return scram(USER);
  }

  /** Client settings for the SASL listener, with SCRAM-SHA-512 and another user. */
  public Map<String, String> scram(String user) {
    return password("SCRAM-SHA-512", "scram.ScramLoginModule", user);
  }

  /** Client settings for the SASL listener, with OAUTHBEARER. */
  public Map<String, String> oauth() {
    Map<String, String> settings = tls("SASL_SSL", saslPort);
    settings.put("sasl.mechanism", "OAUTHBEARER");
    settings.put("sasl.jaas.config", MODULES + "oauthbearer.OAuthBearerLoginModule required;");
    settings.put(
        "sasl.login.callback.handler.class",
        MODULES + "oauthbearer.OAuthBearerLoginCallbackHandler");
    settings.put("sasl.oauthbearer.token.endpoint.url", tokens.url());
    settings.put("sasl.oauthbearer.client.credentials.client.id", USER);
    settings.put("sasl.oauthbearer.client.credentials.client.secret", PASSWORD);
    return settings;
  }

  private Map<String, String> password(String mechanism, String module, String user) {
    Map<String, String> settings = tls("SASL_SSL", saslPort);
    settings.put("sasl.mechanism", mechanism);
    settings.put(
        "sasl.jaas.config",
        "%s%s required username=\"%s\" password=%s;"
            .formatted(MODULES, module, user, quoted(PASSWORD)));
    return settings;
  }

  private Map<String, String> tls(String protocol, int port) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:" + port);
    settings.put("security.protocol", protocol);
    settings.put("ssl.truststore.type", "PEM");
    settings.put("ssl.truststore.location", certificates.brokerCertificate().toString());
    return settings;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Override
  public void close() {
    broker.close();
    tokens.close();
  }
}
