package dev.rondo.embedded.secured;

import dev.rondo.embedded.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * Self-signed certificates of a broker and of a client, each its own CA.
 *
 * @param brokerStore key and certificate, PKCS12
 * @param brokerCertificate PEM
 * @param clientStore key and certificate, PKCS12
 * @param clientCertificate PEM
 * @param clientKey key and certificate, PEM
 */
public record Certificates(
    Path brokerStore,
    Path brokerCertificate,
    Path clientStore,
    Path clientCertificate,
    Path clientKey) {
  /** Password of the PKCS12 stores. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "key";

  static Certificates create(Path dir) throws IOException {
    Path broker = generate(dir.resolve("broker.p12"), "CN=broker", "SAN=ip:127.0.0.1");
    Path client = generate(dir.resolve("client.p12"), "CN=client", "SAN=dns:client");
    return new Certificates(
        broker,
        write(dir.resolve("broker.pem"), certificate(broker)),
        client,
        write(dir.resolve("client.pem"), certificate(client)),
        write(dir.resolve("client-key.pem"), key(client) + certificate(client)));
  }

  private static Path generate(Path store, String name, String extension) {
    if (!Files.exists(store)) {
      Commands.run(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-keystore",
              store.toString(),
              "-storetype",
              "PKCS12",
              "-storepass",
              PASSWORD,
              "-alias",
              ALIAS,
              "-dname",
              name,
              "-ext",
              extension,
              "-keyalg",
              "EC",
              "-groupname",
              "secp256r1",
              "-validity",
              "3650"));
    }
    return store;
  }

  private static String certificate(Path store) throws IOException {
    try {
      return pem("CERTIFICATE", load(store).getCertificate(ALIAS).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(Path store) throws IOException {
    try {
      return pem("PRIVATE KEY", load(store).getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
    KeyStore loaded = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      loaded.load(in, PASSWORD.toCharArray());
    }
    return loaded;
  }

  private static String pem(String type, byte[] der) {
    byte[] newLine = "\n".getBytes(StandardCharsets.US_ASCII);
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(type, Base64.getMimeEncoder(64, newLine).encodeToString(der), type);
  }

  private static Path write(Path file, String text) throws IOException {
    return Files.writeString(file, text);
  }
}
