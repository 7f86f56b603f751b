package dev.rondo.connection.kafka;

import java.util.Optional;
import javax.net.ssl.SSLException;

/** Explains an error of the TLS handshake in terms of settings. */
final class TlsFailure {
  private TlsFailure() {}

  /** Returns the reason and the key to change; empty if {@code failure} is not a TLS error. */
  static Optional<String> explain(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    boolean isTls =
        failure instanceof SSLException
            || failure instanceof java.security.cert.CertificateException
            || failure instanceof java.security.cert.CertPathBuilderException
            || failure instanceof java.security.cert.CertPathValidatorException;
    return isTls ? Optional.of(message + advice(message)) : Optional.empty();
  }

  private static String advice(String message) {
    if (message.contains("certification path") || message.contains("trustAnchors")) {
      return "; the broker's certificate is not signed by a CA in ssl.truststore.location";
    }
    if (message.startsWith("No subject alternative") || message.startsWith("No name matching")) {
      return "; the broker's certificate is for another host name";
    }
    if (message.startsWith("Received fatal alert")) {
      return "; the broker rejects this client's certificate, or requires one (ssl.keystore.location)";
    }
    if (message.startsWith("Unsupported or unrecognized SSL message")) {
      return "; the port does not speak TLS (security.protocol)";
    }
    return "";
  }
}
