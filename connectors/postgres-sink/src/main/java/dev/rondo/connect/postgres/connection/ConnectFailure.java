package dev.rondo.connect.postgres.connection;

import dev.rondo.connect.postgres.config.ConfigFault;
import dev.rondo.connect.postgres.config.ConnectionUrl;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.errors.SqlStates;
import dev.rondo.connection.postgres.Encoding;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.GT;

/** Finds the config key behind a failed connect by SQLSTATE, since messages are translated. */
final class ConnectFailure {
  private ConnectFailure() {}

  /** Returns the error to report; null when the failure may be transient. */
  static ConfigFault fault(SQLException answer, PostgresSinkConfig config) {
    String state = SqlStates.state(answer);
    String address = ConnectionUrl.address(config.url());
    String said = "%s answers [%s] %s".formatted(address, state, SqlStates.text(answer));
    return switch (state) {
      case "28P01" ->
          password(said + "; the password is wrong, or the role does not exist or has no password");
      case "28000" ->
          "ClientAuthentication".equals(SqlStates.routine(answer)) // pg_hba.conf, not the role
              ? user(
                  said
                      + "; pg_hba.conf of the server does not admit this user from this host: add a line,"
                      + " or set sslmode in connection.url")
              : user(said + "; create the role with login, or use another one");
      case "42501" -> user(said + "; grant connect on the database to this role");
      case Encoding.STATE -> url("%s: %s".formatted(address, SqlStates.text(answer)));
      case "3D000" -> url(said + "; create the database, or use another one");
      case "08004" -> refusedByDriver(answer, said);
      case "08P01" -> startupParameter(answer, said);
      case "22023", "22000", "42704", "0A000" -> url(said + "; check its parameters");
      case "08001" -> isWrongMode(answer, config) ? url(said + "; check its parameters") : null;
      case "08006" -> isTls(answer) ? url(said + tlsReason(answer)) : null;
      default -> null;
    };
  }

  /** PgBouncer refuses parameters that it does not know; its messages are not translated. */
  private static ConfigFault startupParameter(SQLException answer, String said) {
    return SqlStates.text(answer).contains("unsupported startup parameter")
        ? url(
            said
                + "; add extra_float_digits to ignore_startup_parameters of PgBouncer, remove others")
        : null;
  }

  /** The driver's state when it and the server cannot agree on authentication or TLS. */
  private static ConfigFault refusedByDriver(SQLException answer, String said) {
    if (SqlStates.routine(answer) != null) {
      return null; // a server that accepts no connections at the moment
    }
    return answer.getMessage().equals(GT.tr("The server does not support SSL."))
        ? url(said + "; enable TLS in the server, or use another sslmode")
        : password(said);
  }

  /** The driver reports a wrong sslmode with the state of a server that is down. */
  private static boolean isWrongMode(SQLException answer, PostgresSinkConfig config) {
    Properties url = Driver.parseURL(config.url(), new Properties());
    String mode = url == null ? null : PGProperty.SSL_MODE.getOrDefault(url);
    return mode != null && answer.getMessage().equals(GT.tr("Invalid sslmode value: {0}", mode));
  }

  /** Whether the TLS handshake failed; a broken connection is not a TLS error. */
  private static boolean isTls(SQLException answer) {
    if (causes(answer).noneMatch(cause -> cause != answer)) {
      return SqlStates.routine(answer) == null; // the host name does not match the certificate
    }
    return causes(answer).noneMatch(ConnectFailure::brokeOff)
        && causes(answer)
            .anyMatch(
                cause ->
                    cause instanceof SSLException
                        || cause instanceof FileNotFoundException
                        || cause instanceof NoSuchFileException);
  }

  private static boolean brokeOff(Throwable cause) {
    return cause instanceof EOFException
        || cause instanceof SocketException
        || cause instanceof SocketTimeoutException;
  }

  private static String tlsReason(SQLException answer) {
    Throwable last = causes(answer).reduce((before, next) -> next).orElse(answer);
    String reason = last == answer ? "" : " (%s)".formatted(last.getMessage());
    return reason + "; check sslmode, sslrootcert and the server's certificate";
  }

  private static Stream<Throwable> causes(Throwable e) {
    return Stream.iterate(e, cause -> cause != null, Throwable::getCause).limit(20);
  }

  private static ConfigFault url(String text) {
    return new ConfigFault(PostgresSinkConfig.CONNECTION_URL, text);
  }

  private static ConfigFault user(String text) {
    return new ConfigFault(PostgresSinkConfig.CONNECTION_USER, text);
  }

  private static ConfigFault password(String text) {
    return new ConfigFault(PostgresSinkConfig.CONNECTION_PASSWORD, text);
  }
}
