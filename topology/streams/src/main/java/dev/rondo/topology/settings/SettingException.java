package dev.rondo.topology.settings;

/**
 * Thrown when a setting is wrong; the message names the thing, its value, the bound and the key.
 */
public final class SettingException extends RuntimeException {
  public SettingException(String message) {
    super(message);
  }
}
