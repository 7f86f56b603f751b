package dev.rondo.local.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Address of a PostgreSQL database, as a libpq URL and a JDBC URL.
 *
 * @param url {@code postgresql://user[:password]@host[:port]/database[?parameters]}
 */
public record PostgresUrl(String url, String jdbcUrl, String user, String password) {
  /** Password for a URL without one, as in libpq. */
  private static final String PASSWORD = "PGPASSWORD";

  private static final int DEFAULT_PORT = 5432;

  /**
   * Parses a libpq URL.
   *
   * @throws UserError if {@code url} does not have this form
   */
  public static PostgresUrl parse(String url) {
    URI uri = uri(url);
    boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
    String path = uri.getRawPath();
    if (!known || uri.getHost() == null || path == null || path.length() < 2) {
      throw malformed(url);
    }
    if (uri.getRawUserInfo() == null) {
      throw new UserError(
          "%s names no user (--postgres): postgresql://USER@HOST:PORT/DATABASE".formatted(url));
    }
    String[] userInfo = uri.getRawUserInfo().split(":", 2);
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return new PostgresUrl(
        url,
        "jdbc:postgresql://%s:%d%s%s".formatted(uri.getHost(), port, path, query),
        decode(userInfo[0]),
        userInfo.length == 1 ? System.getenv().getOrDefault(PASSWORD, "") : decode(userInfo[1]));
  }

  /** The same database for another user without a password. */
  public PostgresUrl as(String otherUser) {
    return parse(url.replaceFirst("//[^@/]*@", "//" + otherUser + "@"));
  }

  /** The URL without its password. */
  public String shown() {
    return shown(url);
  }

  /** {@code url} without its password. */
  public static String shown(String url) {
    return url.replaceFirst("(//[^:/@]*):[^@/]*@", "$1:***@");
  }

  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw malformed(url);
    }
  }

  private static UserError malformed(String url) {
    return new UserError(
        "'%s' is not postgresql://USER@HOST:PORT/DATABASE (--postgres)".formatted(shown(url)));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
