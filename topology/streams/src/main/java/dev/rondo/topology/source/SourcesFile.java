package dev.rondo.topology.source;

import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlFile;
import dev.rondo.topology.settings.YamlMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the sources file, or the list of topics that replaces it. */
public final class SourcesFile {
  private final SourceDefaults defaults;

  public SourcesFile(SourceDefaults defaults) {
    this.defaults = defaults;
  }

  /** Reads a file; the message of an error begins with its path. */
  public SourceRules read(Path file) {
    return YamlFile.read(file, "sources.file", this::parse);
  }

  /** Reads YAML text; throws {@link SettingException} for any error in it. */
  public SourceRules parse(String yaml) {
    YamlMap root = YamlFile.parse(yaml, "sources").allowing("sources", "registries");
    Registries registries = Registries.of(root);
    List<?> items = root.list("sources");
    List<SourceRule> rules = new ArrayList<>();
    for (int n = 0; n < items.size(); n++) {
      rules.add(
          new SourceSettings(items.get(n), "sources[" + n + "]", defaults, registries).rule());
    }
    return new SourceRules(rules, defaults.internal());
  }

  /**
   * Reads a list of topics.
   *
   * @param topics each a name, or {@code name=format}
   */
  public SourceRules of(List<String> topics) {
    List<SourceRule> rules = new ArrayList<>();
    for (String text : topics) {
      String[] parts = text.split("=", 2);
      Map<String, Object> entry = new TreeMap<>();
      entry.put("topic", parts[0].strip());
      if (parts.length == 2) {
        entry.put("format", parts[1].strip());
      }
      rules.add(new SourceSettings(entry, "sources", defaults, new Registries()).rule());
    }
    return new SourceRules(rules, defaults.internal());
  }

  /**
   * Reads a single source, such as one from command line options.
   *
   * @param settings like an entry of the file
   * @throws SettingException if a setting is wrong
   */
  public Source one(Map<String, Object> settings) {
    return one(settings, new Registries());
  }

  /** Like {@link #one(Map)}, with the registries that the settings may name. */
  public Source one(Map<String, Object> settings, Registries registries) {
    return new SourceSettings(settings, "", defaults, registries).rule().how();
  }

  /** Reads only the registries of a file. */
  public static Registries registries(Path file) {
    return YamlFile.read(
        file, "sources.file", yaml -> Registries.of(YamlFile.parse(yaml, "sources")));
  }
}
