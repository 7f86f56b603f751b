package dev.rondo.connection.settings;

import java.util.Locale;
import java.util.Set;

/**
 * Environment variables of settings: {@code RONDO_KAFKA_SASL_MECHANISM} is {@code sasl.mechanism}.
 * Keys have no upper case letters and no {@code _}, so a variable stands for one key.
 *
 * @param prefix of all variables, such as {@code RONDO_KAFKA_}
 * @param others variables that have the prefix and are no settings
 */
public record SettingVariables(String prefix, Set<String> others) {
  /** Whether a variable is a setting: neither one of the others nor of a service. */
  public boolean has(String variable, String value) {
    return variable.startsWith(prefix)
        && !others.contains(variable)
        && !ServiceVariable.is(variable, value);
  }

  /** The key of a variable that {@link #has} the prefix. */
  public String key(String variable) {
    return variable.substring(prefix.length()).toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** The variable of a key. */
  public String variable(String key) {
    return prefix + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }
}
