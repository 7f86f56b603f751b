package dev.rondo.formats.putval;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.collectd.CollectdName;

/** Parses identifiers of value lists: {@code host/plugin[-instance]/type[-instance]}. */
final class PutvalIdentifier {
  /** Longest identifier, characters: collectd's five parts have up to 127 each. */
  private static final int LONGEST = 4096;

  private PutvalIdentifier() {}

  static CollectdName parse(String text) throws DroppedException {
    if (text.length() > LONGEST) {
      throw new DroppedException(
          DropReason.NAME_TOO_LONG,
          "identifier of %d characters, more than %d: '%s'"
              .formatted(text.length(), LONGEST, Excerpt.of(text)));
    }
    int pluginAt = text.indexOf('/') + 1;
    int typeAt = text.indexOf('/', pluginAt) + 1;
    String host = text.substring(0, Math.max(pluginAt - 1, 0));
    String plugin = text.substring(pluginAt, Math.max(typeAt - 1, pluginAt));
    String type = text.substring(typeAt);
    if (host.isEmpty() || beforeDash(plugin).isEmpty() || beforeDash(type).isEmpty()) {
      throw DroppedException.unreadable(
          "'" + Excerpt.of(text) + "' is not host/plugin-instance/type-instance");
    }
    return new CollectdName(
        host, beforeDash(plugin), afterDash(plugin), beforeDash(type), afterDash(type));
  }

  private static String beforeDash(String text) {
    int dash = text.indexOf('-');
    return dash < 0 ? text : text.substring(0, dash);
  }

  private static String afterDash(String text) {
    int dash = text.indexOf('-');
    return dash < 0 ? "" : text.substring(dash + 1);
  }
}
