package dev.rondo.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * An application that counts an order, and ends with its standard input. Arguments are the
 * settings, {@code KEY=VALUE ...}.
 */
public final class Shop {
  private Shop() {}

  public static void main(String[] settings) throws IOException {
    Map<String, Object> read = new HashMap<>(Map.of("rondo.client.prefix", "shop"));
    for (String setting : settings) {
      read.put(setting.replaceFirst("=.*", ""), setting.replaceFirst(".*?=", ""));
    }
    try (var rondo = new RondoClient(read)) {
      rondo.counter("orders").add();
      System.in.read();
    }
  }
}
