package dev.rondo.connection.kafka;

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

/** Probes a broker that does not answer: whether its port is open, and whether it speaks TLS. */
final class PortProbe {
  private static final int TIMEOUT_MS = 2_000;

  /** Length, key 18, version 0, correlation id 0, no client id. */
  private static final byte[] API_VERSIONS = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 0, -1, -1};

  private static final int TLS_ALERT = 0x15;

  private PortProbe() {}

  /** Whether the port answers a plaintext Kafka request with a TLS alert. */
  static boolean answersByTls(String server) {
    try (Socket socket = connect(server)) {
      socket.getOutputStream().write(API_VERSIONS);
      return socket.getInputStream().read() == TLS_ALERT;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether the port accepts connections, and speaks TLS exactly if {@code protocol} does. */
  static boolean speaks(String server, String protocol) {
    try (Socket socket = connect(server)) {
      return speaksTls(socket) == protocol.endsWith("SSL");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns a likely reason why a server does not answer.
   *
   * @param server host:port
   * @param protocol the client's {@code security.protocol}
   */
  static String describe(String server, String protocol) {
    try (Socket socket = connect(server)) {
      return server + " " + describe(protocol, speaksTls(socket));
    } catch (UnknownHostException e) {
      return "there is no host '%s'".formatted(Utils.getHost(server));
    } catch (IOException e) {
      return "%s cannot be reached: %s".formatted(server, e.getMessage());
    }
  }

  private static Socket connect(String server) throws IOException {
    String host = Utils.getHost(server);
    Integer port = Utils.getPort(server);
    if (host == null || port == null) {
      throw new IOException("it is not HOST:PORT");
    }
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static String describe(String protocol, boolean speaksTls) {
    if (speaksTls != protocol.endsWith("SSL")) {
      return speaksTls
          ? "speaks TLS: set security.protocol to SSL or SASL_SSL"
          : "does not speak TLS: set security.protocol to PLAINTEXT or SASL_PLAINTEXT, or use"
              + " another port";
    }
    String sasl = protocol.startsWith("SASL") ? "" : "use SASL (security.protocol), or ";
    return "accepts connections, but does not answer: it may %sadvertise addresses that cannot be"
            .formatted(sasl)
        + " reached from here";
  }

  /** Only the first bytes of the broker matter, not whether its certificate is trusted. */
  private static boolean speaksTls(Socket socket) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    String host = socket.getInetAddress().getHostAddress();
    try (SSLSocket tls = (SSLSocket) factory.createSocket(socket, host, socket.getPort(), true)) {
      tls.startHandshake();
      return true;
    } catch (SSLHandshakeException e) {
      return !(e.getCause() instanceof EOFException);
    } catch (SSLException | SocketException | SocketTimeoutException e) {
      return false; // another answer, or none
    }
  }
}
