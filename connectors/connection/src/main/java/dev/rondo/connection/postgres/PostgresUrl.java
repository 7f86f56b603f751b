package dev.rondo.connection.postgres;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;

/**
 * Address of a PostgreSQL database, as a libpq URL and a JDBC URL. Both have the same parameters:
 * of libpq's, only {@code sslmode}, {@code sslrootcert}, {@code sslcert} and {@code options} have
 * the same names in JDBC; {@code require_auth} and {@code channel_binding} are translated. {@code
 * passfile} is for libpq and this class.
 *
 * <p>A password is never sent in clear text or as MD5, so that an impostor of the server cannot
 * learn it, unless the URL has {@code require_auth}.
 *
 * @param url {@code postgresql://user[:password]@host[:port]/database[?parameters]}
 * @param password of the URL, otherwise of {@code passfile}, PGPASSWORD or PGPASSFILE, in this
 *     order; empty = none
 */
public record PostgresUrl(String url, String jdbcUrl, String user, String password) {
  /** Variable of the password for a URL without one, as in libpq. */
  public static final String PASSWORD_VARIABLE = "PGPASSWORD";

  /** Variable of the file of passwords, as in libpq; by default .pgpass of the user. */
  public static final String PASSWORD_FILE_VARIABLE = "PGPASSFILE";

  /** {@code require_auth} of a server that must also prove that it knows the password. */
  public static final String SCRAM = "scram-sha-256";

  /**
   * {@code require_auth} of other servers: they can ask for no password, but not for the password
   * itself.
   */
  public static final String NEVER_SENT = "!password,!md5";

  private static final String REQUIRE_AUTH = "require_auth=";
  private static final String PASSWORD_FILE = "passfile=";

  private static final int DEFAULT_PORT = 5432;
  private static final String CONNECT_TIMEOUT_S = "30";

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
    String user = decode(userInfo[0]);
    String password = userInfo.length == 1 ? password(uri, target(uri, user)) : decode(userInfo[1]);
    String query = jdbcParameters(uri, !password.isEmpty());
    return new PostgresUrl(
        url,
        "jdbc:postgresql://%s:%d%s%s"
            .formatted(
                uri.getHost(), port(uri), uri.getRawPath(), query.isEmpty() ? "" : "?" + query),
        user,
        password);
  }

  private static String jdbcParameters(URI uri, boolean hasPassword) {
    List<String> parameters =
        parameters(uri)
            .filter(parameter -> !parameter.startsWith(PASSWORD_FILE))
            .map(PostgresUrl::inJdbc)
            .collect(Collectors.toCollection(ArrayList::new));
    if (hasPassword && parameters.stream().noneMatch(each -> each.startsWith("requireAuth="))) {
      parameters.add("requireAuth=" + NEVER_SENT);
    }
    return String.join("&", parameters);
  }

  private static String inJdbc(String parameter) {
    return parameter
        .replaceFirst("^" + REQUIRE_AUTH, "requireAuth=")
        .replaceFirst("^channel_binding=", "channelBinding=");
  }

  private static int port(URI uri) {
    return uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
  }

  private static List<String> target(URI uri, String user) {
    return List.of(uri.getHost(), "" + port(uri), uri.getPath().substring(1), user);
  }

  /** Host, port, database and user, as in a file of passwords. */
  List<String> target() {
    return target(uri(url), user);
  }

  private static Stream<String> parameters(URI uri) {
    return uri.getRawQuery() == null ? Stream.of() : Stream.of(uri.getRawQuery().split("&"));
  }

  private static String password(URI uri, List<String> target) {
    return passwordFile(uri)
        .map(file -> PasswordFile.password(file, target))
        .filter(password -> !password.isEmpty())
        .or(() -> Optional.ofNullable(System.getenv(PASSWORD_VARIABLE)))
        .orElseGet(() -> PasswordFile.password(usersFile(), target));
  }

  private static Path usersFile() {
    String named = System.getenv(PASSWORD_FILE_VARIABLE);
    return named == null ? Path.of(System.getProperty("user.home"), ".pgpass") : Path.of(named);
  }

  private static Optional<Path> passwordFile(URI uri) {
    return parameters(uri)
        .filter(parameter -> parameter.startsWith(PASSWORD_FILE))
        .map(parameter -> Path.of(decode(parameter.substring(PASSWORD_FILE.length()))))
        .findFirst();
  }

  /** {@code require_auth}, in the form of libpq's PGREQUIREAUTH. */
  public String requiredAuth() {
    return parameters(uri(url))
        .filter(parameter -> parameter.startsWith(REQUIRE_AUTH))
        .map(parameter -> decode(parameter.substring(REQUIRE_AUTH.length())))
        .findFirst()
        .orElse(NEVER_SENT);
  }

  /** Returns the URL without {@code require_auth}, which libpq supports since PostgreSQL 16. */
  public PostgresUrl withoutAuth() {
    return parse(without(url, REQUIRE_AUTH));
  }

  private static String without(String url, String parameter) {
    return url.replaceFirst("[?&]%s[^&]*$".formatted(parameter), "")
        .replaceFirst("(?<=[?&])%s[^&]*&".formatted(parameter), "");
  }

  /** The file of its password; empty without the parameter {@code passfile}. */
  public Optional<Path> passwordFile() {
    return passwordFile(uri(url));
  }

  /** Returns the same database, with the passwords of {@code file} instead of one in the URL. */
  public PostgresUrl with(Path file) {
    String name = URLEncoder.encode(file.toString(), StandardCharsets.UTF_8);
    String bare = without(url.replaceFirst("(//[^:/@]*):[^@/]*@", "$1@"), PASSWORD_FILE);
    return parse(
        bare
            + (bare.contains("?") ? "&" : "?")
            + PASSWORD_FILE
            + name.replace("+", "%20").replace("%2F", "/"));
  }

  /**
   * Connects to the database, which must be UTF8. Parameters of the URL override the timeouts.
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
    properties.setProperty("connectTimeout", CONNECT_TIMEOUT_S);
    properties.setProperty("loginTimeout", CONNECT_TIMEOUT_S);
    try {
      return checked(DriverManager.getConnection(jdbcUrl, properties));
    } catch (SQLException e) {
      if (Pooler.refusesParameter(e)) {
        throw new SQLException(e.getMessage() + Pooler.PARAMETER_ADVICE, e.getSQLState(), e);
      }
      if (e.getMessage()
          .startsWith("Connection attempt timed out")) { // names neither server nor bound
        throw new SQLException(
            "Connection to %s timed out (loginTimeout in its URL, otherwise %s s)"
                .formatted(shown(), CONNECT_TIMEOUT_S),
            e.getSQLState(),
            e);
      }
      throw e;
    }
  }

  private static Connection checked(Connection connection) throws SQLException {
    try {
      Encoding.check(connection);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Returns the same database for another user, with its password in {@code passfile}. */
  public PostgresUrl as(String otherUser) {
    return otherUser.equals(user)
        ? this
        : parse(url.replaceFirst("//[^@/]*@", "//" + otherUser + "@"));
  }

  /** The URL without its password. */
  public String shown() {
    return shown(url);
  }

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
