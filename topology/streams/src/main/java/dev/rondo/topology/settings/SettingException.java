package dev.rondo.topology.settings;

/** Thrown if a setting is wrong. The message names the thing, its value, the bound and the key. */
public final class SettingException extends RuntimeException {
  public SettingException(String message) {
    super(message);
  }
}
