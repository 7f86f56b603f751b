package dev.rondo.topology.source;

import dev.rondo.formats.mapping.Mapping;
import dev.rondo.formats.mapping.Mapping.Tag;
import dev.rondo.formats.mapping.Mapping.Value;
import dev.rondo.formats.mapping.NamePattern;
import dev.rondo.formats.mapping.Path;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads the mapping of a source. */
final class MappingSettings {
  private final YamlMap map;

  /**
   * @param source entry of the sources file
   */
  MappingSettings(YamlMap source) {
    this.map =
        new YamlMap(source.get("mapping"), source.key("mapping"))
            .allowing("name", "tags", "time", "values");
  }

  Mapping mapping() {
    NamePattern name =
        map.has("name")
            ? parsed(NamePattern::parse, map.text("name"), map.key("name"))
            : NamePattern.NONE;
    List<Tag> tags = map.has("tags") ? all("tags", Mapping::tag, Tag::new) : List.of();
    Optional<Path> time = map.has("time") ? Optional.of(path("time")) : Optional.empty();
    List<Value> values =
        all("values", Mapping::value, (field, path) -> new Value(field, field, path));
    try {
      return new Mapping(name, tags, time, values);
    } catch (IllegalArgumentException e) {
      throw new SettingException(e.getMessage() + " (" + map.key("values") + ")");
    }
  }

  private Path path(String key) {
    return parsed(Path::parse, map.text(key), map.key(key));
  }

  /** Reads one path, a list of paths, or a mapping of names to paths. */
  private <T> List<T> all(
      String key, Function<Path, T> unnamed, BiFunction<String, Path, T> named) {
    List<T> all = new ArrayList<>();
    if (map.get(key) instanceof List<?> paths) {
      for (Object path : paths) {
        String at = map.key(key) + "[" + all.size() + "]";
        all.add(unnamed.apply(parsed(Path::parse, String.valueOf(path), at)));
      }
    } else if (map.get(key) instanceof String) {
      all.add(unnamed.apply(path(key)));
    } else {
      YamlMap paths = new YamlMap(map.get(key), map.key(key));
      for (String name : paths.keys()) {
        all.add(named.apply(name, parsed(Path::parse, paths.text(name), paths.key(name))));
      }
    }
    return all;
  }

  private static <T> T parsed(Function<String, T> parser, String text, String key) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new SettingException(e.getMessage() + " (" + key + ")");
    }
  }
}
