package dev.rondo.connect.postgres.config;

import java.util.Objects;
import java.util.Properties;
import java.util.StringJoiner;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Validates and parses {@code connection.url} with the driver's own parser. A password in it is an
 * error: Connect shows this value to every user of its REST API.
 */
public final class ConnectionUrl implements ConfigDef.Validator {
  private static final String PREFIX = "jdbc:postgresql:";
  private static final String FORM = "jdbc:postgresql://host[:port]/database[?parameter=value]";

  @Override
  public void ensureValid(String key, Object value) {
    if (value == null) {
      return; // the missing value is reported by its key
    }
    String url = (String) value;
    Properties parsed = parse(url);
    if (parsed == null) {
      throw new ConfigException(key, url, "not of the form " + FORM);
    }
    if (PGProperty.PASSWORD.getOrDefault(parsed) != null) {
      throw new ConfigException(
          "Invalid value for configuration %s: it holds a password; set %s instead"
              .formatted(key, PostgresSinkConfig.CONNECTION_PASSWORD));
    }
  }

  /** Describes valid values, for the reference page. */
  @Override
  public String toString() {
    return FORM + ", without a password";
  }

  /** Returns the user in {@code url}; null when there is none or the URL is wrong. */
  static String user(String url) {
    Properties parsed = url == null ? null : parse(url);
    return parsed == null ? null : PGProperty.USER.getOrDefault(parsed);
  }

  /** Number of servers in {@code url}. */
  public static int hosts(String url) {
    return PGProperty.PG_HOST.getOrDefault(parse(url)).split(",", -1).length;
  }

  /** Whether {@code url} sets the driver's parameter. */
  public static boolean sets(String url, PGProperty parameter) {
    return parse(url).containsKey(parameter.getName());
  }

  /** {@code sslmode} in {@code url}; empty when there is none. */
  public static String sslMode(String url) {
    return Objects.requireNonNullElse(PGProperty.SSL_MODE.getOrDefault(parse(url)), "");
  }

  /** Returns {@code host:port[,host2:port2]/database}, for messages. */
  public static String address(String url) {
    Properties parsed = parse(url);
    String[] hosts = PGProperty.PG_HOST.getOrDefault(parsed).split(",", -1);
    String[] ports = PGProperty.PG_PORT.getOrDefault(parsed).split(",", -1);
    var servers = new StringJoiner(",");
    for (int k = 0; k < hosts.length; k++) {
      servers.add(hosts[k] + ":" + ports[k]);
    }
    return servers + "/" + PGProperty.PG_DBNAME.getOrDefault(parsed);
  }

  /** Returns null where the driver cannot parse the URL. */
  private static Properties parse(String url) {
    return url.startsWith(PREFIX) ? Driver.parseURL(url, new Properties()) : null;
  }
}
