package dev.rondo.schemas.kafka;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.kafka.common.utils.Utils;

/** Tells why a broker may not answer: whether its port is open, and whether it speaks TLS. */
final class PortProbe {
  private static final int PATIENCE_MS = 2_000;

  private PortProbe() {}

  /**
   * @param server host:port
   * @param usesTls whether the client uses TLS
   */
  static String describe(String server, boolean usesTls) {
    String host = Utils.getHost(server);
    Integer port = Utils.getPort(server);
    if (host == null || port == null) {
      return "'%s' is not HOST:PORT".formatted(server);
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), PATIENCE_MS);
      socket.setSoTimeout(PATIENCE_MS);
      return server + " " + describe(usesTls, speaksTls(socket, host, port));
    } catch (UnknownHostException e) {
      return "there is no host '%s'".formatted(host);
    } catch (IOException e) {
      return "%s cannot be reached: %s".formatted(server, e.getMessage());
    }
  }

  private static String describe(boolean usesTls, boolean speaksTls) {
    if (speaksTls != usesTls) {
      return speaksTls
          ? "speaks TLS: set security.protocol to SSL or SASL_SSL"
          : "does not speak TLS: set security.protocol to PLAINTEXT or SASL_PLAINTEXT, or use"
              + " another port";
    }
    return "accepts connections, but does not answer: it may use SASL (security.protocol), or"
        + " advertise addresses that cannot be reached from here";
  }

  /** Only what the broker sends first matters, not whether its certificate is trusted. */
  private static boolean speaksTls(Socket socket, String host, int port) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    try (SSLSocket tls = (SSLSocket) factory.createSocket(socket, host, port, true)) {
      tls.startHandshake();
      return true;
    } catch (SSLHandshakeException e) {
      return !(e.getCause() instanceof EOFException);
    } catch (SSLException | SocketException | SocketTimeoutException e) {
      return false; // it answered something else, or nothing
    }
  }
}
