package dev.rondo.connection.settings;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Environment variables of settings: {@code RONDO_KAFKA_SASL_MECHANISM} is {@code sasl.mechanism}.
 * Keys have neither upper case letters nor {@code _}, so a variable stands for one key.
 *
 * @param prefix of all variables, such as {@code RONDO_KAFKA_}
 * @param others variables with the prefix that are not settings
 */
public record SettingVariables(String prefix, Set<String> others) {
  private static final Pattern SERVICE =
      Pattern.compile(
          ".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)");
  private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://\\S+:\\d+");

  /** Whether a variable is a setting: neither one of the others nor set by Kubernetes. */
  public boolean has(String variable, String value) {
    return variable.startsWith(prefix)
        && !others.contains(variable)
        && !isOfService(variable, value);
  }

  /**
   * Whether Kubernetes has set a variable for a service of the namespace: for {@code rondo-api},
   * {@code RONDO_API_SERVICE_HOST}, {@code RONDO_API_PORT=tcp://10.0.0.1:8888} and so on. A setting
   * that ends with PORT is a number.
   */
  private static boolean isOfService(String variable, String value) {
    return SERVICE.matcher(variable).matches()
        || (variable.endsWith("_PORT") && ADDRESS.matcher(value).matches());
  }

  /** Returns the key of a variable that {@link #has} the prefix. */
  public String key(String variable) {
    return variable.substring(prefix.length()).toLowerCase(Locale.ROOT).replace('_', '.');
  }

  public String variable(String key) {
    return prefix + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }
}
