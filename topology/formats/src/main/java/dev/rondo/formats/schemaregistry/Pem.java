package dev.rondo.formats.schemaregistry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Creates TLS contexts from PEM files. */
public final class Pem {
  private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String KEY_END = "-----END PRIVATE KEY-----";
  private static final char[] NO_PASSWORD = {};

  private Pem() {}

  /**
   * Reads certificates and a key.
   *
   * @param ca certificates to trust; empty = those of the JDK
   * @param certificate of the client, and its chain; empty = none
   * @param key of that certificate, PKCS #8, not encrypted
   * @throws IOException if a file cannot be read
   * @throws GeneralSecurityException if a file has the wrong content
   */
  public static SSLContext context(
      Optional<Path> ca, Optional<Path> certificate, Optional<Path> key)
      throws IOException, GeneralSecurityException {
    TrustManager[] trust = ca.isEmpty() ? null : trust(certificates(ca.get()));
    KeyManager[] keys =
        certificate.isEmpty()
            ? null
            : keys(certificates(certificate.get()), key(key.orElseThrow()));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust, null);
    return context;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new GeneralSecurityException(file + " has no certificate");
      }
      return found;
    }
  }

  private static TrustManager[] trust(Collection<? extends Certificate> certificates)
      throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    int n = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("ca" + n++, certificate);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager[] keys(Collection<? extends Certificate> chain, PrivateKey key)
      throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    int begin = text.indexOf(KEY_BEGIN);
    int end = text.indexOf(KEY_END);
    if (begin < 0 || end < begin) {
      throw new GeneralSecurityException(
          file
              + " has no unencrypted PKCS #8 key, BEGIN PRIVATE KEY: openssl pkcs8 -topk8 -nocrypt"
              + " makes one");
    }
    byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + KEY_BEGIN.length(), end));
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (InvalidKeySpecException e) {
        // a key of another algorithm
      }
    }
    throw new GeneralSecurityException(file + " has a key that is neither RSA, EC nor EdDSA");
  }
}
