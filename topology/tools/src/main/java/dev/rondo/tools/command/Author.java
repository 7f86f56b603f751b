package dev.rondo.tools.command;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who runs a command. */
public final class Author {
  private Author() {}

  /** Such as {@code alice@ops1}. */
  public static String name() {
    try {
      return System.getProperty("user.name") + "@" + InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return System.getProperty("user.name");
    }
  }
}
