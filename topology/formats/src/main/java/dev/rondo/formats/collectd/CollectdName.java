package dev.rondo.formats.collectd;

import dev.rondo.formats.Labels;

/**
 * Identity of a collectd value list; absent instances are empty. Its path is the default of
 * collectd's Graphite format: {@code host.plugin-instance.type-instance.ds}. Dots, white space,
 * control characters and any of {@code " \ : ! , / ( )} within a part become {@code _}, as in
 * collectd (its {@code EscapeCharacter}; source: format_graphite.c of collectd 5.12).
 */
public record CollectdName(
    String host, String plugin, String pluginInstance, String type, String typeInstance) {
  private static final String FORBIDDEN = ".\"\\:!,/()";

  /**
   * Builds the path of a data source.
   *
   * @param dsName name of the data source; empty = omitted, as in collectd for a type with only one
   */
  public String path(String dsName) {
    StringBuilder path = new StringBuilder(64);
    append(path, host);
    append(path.append('.'), plugin);
    appendInstance(path, pluginInstance);
    append(path.append('.'), type);
    appendInstance(path, typeInstance);
    if (!dsName.isEmpty()) {
      append(path.append('.'), dsName);
    }
    return path.toString();
  }

  private static void appendInstance(StringBuilder path, String instance) {
    if (!instance.isEmpty()) {
      append(path.append('-'), instance);
    }
  }

  private static void append(StringBuilder path, String part) {
    for (int at = 0; at < part.length(); at++) {
      char c = part.charAt(at);
      path.append(c <= ' ' || c == 0x7f || FORBIDDEN.indexOf(c) >= 0 ? '_' : c);
    }
  }

  /** Adds the parts of the path under their names in collectd's JSON. */
  public Labels addTo(Labels parts) {
    return parts
        .put("host", host)
        .put("plugin", plugin)
        .put("plugin_instance", pluginInstance)
        .put("type", type)
        .put("type_instance", typeInstance);
  }
}
