package dev.rondo.connect.postgres.config;

import java.util.Properties;
import java.util.StringJoiner;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Form of {@code connection.url}, as the driver itself reads it. A password in it is refused:
 * Connect shows this value to everybody.
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
          "Invalid value for configuration %s: it holds a password; give it by %s"
              .formatted(key, PostgresSinkConfig.CONNECTION_PASSWORD));
    }
  }

  /** What is valid, for the list of keys. */
  @Override
  public String toString() {
    return FORM + ", without a password";
  }

  /** The user named in {@code url}; null when there is none or the URL is wrong. */
  static String user(String url) {
    Properties parsed = url == null ? null : parse(url);
    return parsed == null ? null : PGProperty.USER.getOrDefault(parsed);
  }

  /** How many servers {@code url} names. */
  public static int hosts(String url) {
    return PGProperty.PG_HOST.getOrDefault(parse(url)).split(",", -1).length;
  }

  /** Whether {@code url} itself gives the driver's parameter. */
  public static boolean sets(String url, PGProperty parameter) {
    return parse(url).containsKey(parameter.getName());
  }

  /** {@code host:port[,host2:port2]/database}, for messages. */
  public static String place(String url) {
    Properties parsed = parse(url);
    String[] hosts = PGProperty.PG_HOST.getOrDefault(parsed).split(",", -1);
    String[] ports = PGProperty.PG_PORT.getOrDefault(parsed).split(",", -1);
    var servers = new StringJoiner(",");
    for (int k = 0; k < hosts.length; k++) {
      servers.add(hosts[k] + ":" + ports[k]);
    }
    return servers + "/" + PGProperty.PG_DBNAME.getOrDefault(parsed);
  }

  /** Null where the driver cannot read it. */
  private static Properties parse(String url) {
    return url.startsWith(PREFIX) ? Driver.parseURL(url, new Properties()) : null;
  }
}
