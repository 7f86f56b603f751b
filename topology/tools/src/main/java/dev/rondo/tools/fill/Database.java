package dev.rondo.tools.fill;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.tools.command.CommandException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Connects to the PostgreSQL of a Rondo. */
public final class Database {
  private static final String VARIABLE = "RONDO_FILL_DATABASE_URL";

  private Database() {}

  /**
   * Connects to the database.
   *
   * @param url {@code postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE}; null: that of {@code dir}
   * @param dir data folder of {@code ./rondo up}; null: RONDO_FILL_DATABASE_URL, or else {@code
   *     .rondo} in the clone
   */
  public static Connection connect(String url, Path dir) throws IOException, SQLException {
    URI uri = uri(url(url, dir));
    var properties = new Properties();
    String[] user = uri.getRawUserInfo().split(":", 2);
    properties.setProperty("user", decode(user[0]));
    String password = user.length == 2 ? decode(user[1]) : System.getenv("PGPASSWORD");
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("socketTimeout", "120");
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%d%s%s"
            .formatted(
                uri.getHost(), uri.getPort() < 0 ? 5432 : uri.getPort(), uri.getRawPath(), query),
        properties);
  }

  private static String url(String url, Path dir) throws IOException {
    if (url != null) {
      return url;
    }
    String variable = System.getenv(VARIABLE);
    if (dir == null && variable != null) {
      return variable;
    }
    String root = System.getProperty("rondo.root");
    if (dir == null && root == null) {
      throw CommandException.misuse("the database is missing (--postgres)");
    }
    Path state = (dir == null ? Path.of(root, ".rondo") : dir).resolve("rondo.json");
    String stored =
        Files.isReadable(state)
            ? new ObjectMapper().readTree(state.toFile()).path("postgres").asText("")
            : "";
    if (stored.isEmpty()) {
      throw CommandException.misuse(
          "there is no Rondo in %s (--dir, --postgres)".formatted(state.getParent()));
    }
    return stored;
  }

  private static URI uri(String text) {
    try {
      URI uri = new URI(text.strip());
      boolean isPostgres =
          "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
      boolean hasUser = uri.getHost() != null && uri.getRawUserInfo() != null;
      if (isPostgres && hasUser && uri.getRawPath().length() > 1) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // reported below, like any text that is not such a URL
    }
    throw CommandException.misuse(
        "'%s' is not postgresql://USER@HOST:PORT/DATABASE (--postgres)"
            .formatted(text.replaceFirst("(//[^:/@]*):[^@/]*@", "$1:***@")));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
