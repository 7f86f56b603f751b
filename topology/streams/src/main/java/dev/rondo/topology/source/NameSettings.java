package dev.rondo.topology.source;

import dev.rondo.formats.Labels;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.Template;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the naming rules of a source. */
final class NameSettings {
  private final YamlMap source;

  /**
   * @param source entry of the sources file
   */
  NameSettings(YamlMap source) {
    this.source = source;
  }

  NameRules rules() {
    if (!source.has("labels")) {
      return new NameRules(template(), prefix(), List.of(), Map.of());
    }
    YamlMap labels =
        new YamlMap(source.get("labels"), source.key("labels")).allowing("drop", "rename");
    return new NameRules(template(), prefix(), dropped(labels), renamed(labels));
  }

  private Optional<Template> template() {
    if (!source.has("template")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Template.parse(source.text("template"), source.key("template")));
    } catch (IllegalArgumentException e) {
      throw new SettingException(e.getMessage());
    }
  }

  private String prefix() {
    return source.has("prefix") ? source.text("prefix") : "";
  }

  private static List<Pattern> dropped(YamlMap labels) {
    return labels.has("drop") ? labels.regexps("drop") : List.of();
  }

  private static Map<String, String> renamed(YamlMap labels) {
    Map<String, String> renamed = new TreeMap<>();
    if (labels.has("rename")) {
      YamlMap keys = new YamlMap(labels.get("rename"), labels.key("rename"));
      for (String key : keys.keys()) {
        String to = keys.text(key);
        if (!Labels.isKey(to)) {
          throw new SettingException(
              "'%s' cannot be the key of a tag: it is empty, 'name', or has white space or any of"
                      .formatted(to)
                  + " ; = ! ^ (%s)".formatted(keys.key(key)));
        }
        renamed.put(Labels.keyOf(key), to);
      }
    }
    return renamed;
  }
}
