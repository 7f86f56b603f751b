package dev.rondo.formats.schemaregistry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with certificates on both sides. */
class PemTest {
  private static final char[] PASSWORD = "geheim".toCharArray();

  @TempDir static Path dir;

  private static Path certificate;
  private static Path key;

  @BeforeAll
  static void makeFiles() throws Exception {
    Path store = dir.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=registry",
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore made = KeyStore.getInstance(store.toFile(), PASSWORD);
    certificate = pem("certificate.pem", "CERTIFICATE", made.getCertificate("a").getEncoded());
    key = pem("key.pem", "PRIVATE KEY", made.getKey("a", PASSWORD).getEncoded());
  }

  private static Path pem(String name, String type, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    return Files.writeString(
        dir.resolve(name), "-----BEGIN %s-----\n%s\n-----END %1$s-----\n".formatted(type, text));
  }

  @Test
  void shouldAuthenticateBothSides() throws Exception {
    SSLContext both =
        Pem.context(Optional.of(certificate), Optional.of(certificate), Optional.of(key));
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(both) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters tls = both.getDefaultSSLParameters();
            tls.setNeedClientAuth(true);
            parameters.setSSLParameters(tls);
          }
        });
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "{\"schema\":\"five\"}".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
      assertThat(schemas(url, both).get(SchemaId.of(5)).text()).isEqualTo("five");
      SSLContext without =
          Pem.context(Optional.of(certificate), Optional.empty(), Optional.empty());
      assertThatThrownBy(() -> schemas(url, without).get(SchemaId.of(5)))
          .hasMessageStartingWith("schema 5: " + url);
    } finally {
      server.stop(0);
    }
  }

  private static Schemas schemas(URI url, SSLContext tls) {
    Duration timeout = Duration.ofSeconds(30);
    return new Registry(url, Optional.of(tls), Optional.empty(), timeout, timeout).schemas();
  }

  @Test
  void shouldNameTheFileWithoutAKey() {
    assertThatThrownBy(
            () -> Pem.context(Optional.empty(), Optional.of(certificate), Optional.of(certificate)))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("certificate.pem has no unencrypted PKCS #8 key");
  }
}
