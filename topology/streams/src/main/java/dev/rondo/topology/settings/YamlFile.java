package dev.rondo.topology.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads YAML files of settings; throws {@link SettingException} for any error in them. */
public final class YamlFile {
  private YamlFile() {}

  /**
   * Reads a file; the message of an error begins with its path.
   *
   * @param key setting that names the file
   * @param parser parses the text
   */
  public static <T> T read(Path file, String key, Function<String, T> parser) {
    try {
      return parser.apply(Files.readString(file));
    } catch (IOException e) {
      throw new SettingException(file + ": cannot be read: " + e + " (" + key + ")");
    } catch (SettingException e) {
      throw new SettingException(file + ": " + e.getMessage());
    }
  }

  /**
   * Parses YAML text, which must be a mapping.
   *
   * @param key key that it must have
   */
  public static YamlMap parse(String yaml, String key) {
    try {
      Object root = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
      if (root == null) {
        throw new SettingException(
            "it is empty: begin it with '%s:' and a list below (%1$s)".formatted(key));
      }
      return new YamlMap(root, "");
    } catch (YAMLException e) {
      throw new SettingException("not YAML: " + e.getMessage());
    }
  }
}
