package dev.rondo.bench.postgres.server;

import dev.rondo.bench.BenchException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Address of an external database.
 *
 * @param jdbcUrl without user and password
 * @param password empty: none
 */
record Address(String jdbcUrl, String user, String password) {
  private static final int DEFAULT_PORT = 5432;

  /**
   * Reads {@code postgresql://user[:password]@host[:port]/database[?parameters]}.
   *
   * @throws BenchException if it does not have this form
   */
  static Address parse(String url) {
    URI uri = uri(url);
    boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
    String path = uri.getRawPath();
    if (!known
        || uri.getHost() == null
        || uri.getRawUserInfo() == null
        || path == null
        || path.length() < 2) {
      throw malformed(url);
    }
    String[] userInfo = uri.getRawUserInfo().split(":", 2);
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    String query = uri.getRawQuery() == null ? "?" : "?" + uri.getRawQuery() + "&";
    return new Address(
        "jdbc:postgresql://%s:%d%s%s".formatted(uri.getHost(), port, path, query),
        decode(userInfo[0]),
        userInfo.length == 1 ? "" : decode(userInfo[1]));
  }

  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw malformed(url);
    }
  }

  private static BenchException malformed(String url) {
    return new BenchException(
        "'%s' is not postgresql://USER[:PASSWORD]@HOST[:PORT]/DATABASE (--postgres)"
            .formatted(url.replaceFirst("(//[^:/@]*):[^@/]*@", "$1:***@")));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
