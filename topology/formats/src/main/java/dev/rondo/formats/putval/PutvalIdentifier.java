package dev.rondo.formats.putval;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.collectd.CollectdName;

/**
 * Identifier of a value list: {@code host/plugin[-instance]/type[-instance]}; absent parts are
 * empty.
 */
record PutvalIdentifier(
    String host, String plugin, String pluginInstance, String type, String typeInstance) {
  /** Longest identifier, characters: collectd's five parts have up to 127 each. */
  private static final int LONGEST = 4096;

  static PutvalIdentifier parse(String text) throws DroppedException {
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
    return new PutvalIdentifier(
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

  /** Returns the path without the name of a data source. */
  String path() {
    return CollectdName.path(host, plugin, pluginInstance, type, typeInstance, "");
  }

  /** Adds the parts of the path under their names in collectd's JSON. */
  void fill(Labels parts) {
    parts
        .put("host", host)
        .put("plugin", plugin)
        .put("plugin_instance", pluginInstance)
        .put("type", type)
        .put("type_instance", typeInstance);
  }
}
