package dev.rondo.topology.source;

import dev.rondo.formats.schemaregistry.Schemas;
import dev.rondo.topology.settings.YamlMap;
import java.util.HashMap;
import java.util.Map;

/** The schema registries of a sources file. Sources of the same registry share its schemas. */
public final class Registries {
  private final Map<String, Schemas> byName = new HashMap<>();

  /** Creates registries that are named by URL only. */
  public Registries() {}

  /** Reads the section {@code registries}; empty without one. */
  static Registries of(YamlMap root) {
    Registries registries = new Registries();
    if (root.has("registries")) {
      YamlMap entries = new YamlMap(root.get("registries"), root.key("registries"));
      for (String name : entries.keys()) {
        var settings = new RegistrySettings(entries.get(name), entries.key(name));
        registries.byName.put(name, settings.registry().schemas());
      }
    }
    return registries;
  }

  /**
   * Returns the schemas of a registry.
   *
   * @param text name of an entry, or a URL
   * @param key setting that names it, for error texts
   */
  public Schemas schemas(String text, String key) {
    return byName.computeIfAbsent(text, url -> RegistrySettings.of(url, key).schemas());
  }

  /**
   * Returns the schemas of a registry for a command, which asks once and so uses the longest
   * timeout.
   */
  public Schemas patientSchemas(String text, String key) {
    return byName.computeIfAbsent(
        text,
        url -> RegistrySettings.of(url, key).withTimeout(RegistrySettings.MAX_TIMEOUT).schemas());
  }
}
