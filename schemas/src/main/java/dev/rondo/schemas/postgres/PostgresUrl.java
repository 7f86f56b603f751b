package dev.rondo.schemas.postgres;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;

/**
 * Address of a PostgreSQL database, as a libpq URL and a JDBC URL. Both have the same parameters:
 * of libpq only {@code sslmode}, {@code sslrootcert}, {@code sslcert} and {@code options} have the
 * same names in JDBC. {@code passfile} is for libpq and this class.
 *
 * @param url {@code postgresql://user[:password]@host[:port]/database[?parameters]}
 * @param password of the URL, or else of {@code passfile}, or else PGPASSWORD; empty = none: the
 *     driver then reads PGPASSFILE
 */
public record PostgresUrl(String url, String jdbcUrl, String user, String password) {
  /** Password for a URL without one, as in libpq. */
  public static final String PASSWORD_VARIABLE = "PGPASSWORD";

  private static final String PASSWORD_FILE = "passfile=";

  private static final int DEFAULT_PORT = 5432;
  private static final String CONNECT_BOUND_S = "30";

  /**
   * Parses a libpq URL.
   *
   * @throws ConfigException if {@code url} does not have this form
   */
  public static PostgresUrl parse(String url) {
    URI uri = uri(url);
    boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
    boolean hasUser = uri.getHost() != null && uri.getRawUserInfo() != null;
    if (!known || !hasUser || uri.getRawPath().length() < 2) {
      throw malformed(url);
    }
    String[] userInfo = uri.getRawUserInfo().split(":", 2);
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    String query =
        parameters(uri)
            .filter(parameter -> !parameter.startsWith(PASSWORD_FILE))
            .collect(Collectors.joining("&"));
    String user = decode(userInfo[0]);
    return new PostgresUrl(
        url,
        "jdbc:postgresql://%s:%d%s%s"
            .formatted(uri.getHost(), port, uri.getRawPath(), query.isEmpty() ? "" : "?" + query),
        user,
        userInfo.length == 1
            ? password(uri, List.of(uri.getHost(), "" + port, uri.getPath().substring(1), user))
            : decode(userInfo[1]));
  }

  private static Stream<String> parameters(URI uri) {
    return uri.getRawQuery() == null ? Stream.of() : Stream.of(uri.getRawQuery().split("&"));
  }

  private static String password(URI uri, List<String> target) {
    return passwordFile(uri)
        .map(file -> PasswordFile.password(file, target))
        .filter(password -> !password.isEmpty())
        .orElseGet(() -> System.getenv().getOrDefault(PASSWORD_VARIABLE, ""));
  }

  private static Optional<Path> passwordFile(URI uri) {
    return parameters(uri)
        .filter(parameter -> parameter.startsWith(PASSWORD_FILE))
        .map(parameter -> Path.of(decode(parameter.substring(PASSWORD_FILE.length()))))
        .findFirst();
  }

  /** The file that has its password; empty without the parameter {@code passfile}. */
  public Optional<Path> passwordFile() {
    return passwordFile(uri(url));
  }

  /** The same database, with the passwords of {@code file} instead of one in the URL. */
  public PostgresUrl with(Path file) {
    String name = URLEncoder.encode(file.toString(), StandardCharsets.UTF_8);
    String bare = url.replaceFirst("(//[^:/@]*):[^@/]*@", "$1@");
    return parse(
        bare
            + (bare.contains("?") ? "&" : "?")
            + PASSWORD_FILE
            + name.replace("+", "%20").replace("%2F", "/"));
  }

  /**
   * Connects to the database. Parameters of the URL override the bounds of the wait.
   *
   * @param application name of the session in pg_stat_activity
   */
  public Connection connect(String application) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", user);
    if (!password.isEmpty()) {
      properties.setProperty("password", password);
    }
    properties.setProperty("ApplicationName", application);
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", CONNECT_BOUND_S);
    properties.setProperty("loginTimeout", CONNECT_BOUND_S);
    try {
      return DriverManager.getConnection(jdbcUrl, properties);
    } catch (SQLException e) {
      if (Pooler.refusesParameter(e)) {
        throw new SQLException(e.getMessage() + Pooler.PARAMETER_ADVICE, e.getSQLState(), e);
      }
      if (e.getMessage().startsWith("Connection attempt timed out")) { // names neither
        throw new SQLException(
            "Connection to %s timed out (loginTimeout in its URL, otherwise %s s)"
                .formatted(shown(), CONNECT_BOUND_S),
            e.getSQLState(),
            e);
      }
      throw e;
    }
  }

  /** The same database for another user, with the password that {@code passfile} has for it. */
  public PostgresUrl as(String otherUser) {
    return otherUser.equals(user)
        ? this
        : parse(url.replaceFirst("//[^@/]*@", "//" + otherUser + "@"));
  }

  /** The URL without its password. */
  public String shown() {
    return shown(url);
  }

  /** {@code url} without its password. */
  public static String shown(String url) {
    return url.replaceFirst("(//[^:/@]*):[^@/]*@", "$1:***@");
  }

  @Override
  public String toString() {
    return shown();
  }

  private static URI uri(String url) {
    try {
      return new URI(url.strip());
    } catch (URISyntaxException e) {
      throw malformed(url);
    }
  }

  private static ConfigException malformed(String url) {
    return new ConfigException(
        "'%s' is not postgresql://USER@HOST:PORT/DATABASE (--postgres)".formatted(shown(url)));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
