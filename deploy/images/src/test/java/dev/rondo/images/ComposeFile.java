package dev.rondo.images;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/**
 * Services of files in deploy/compose, with the variables of .env, to run as processes without
 * containers.
 */
final class ComposeFile {
  static final Path FOLDER = Path.of(System.getProperty("rondo.root"), "deploy/compose");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::-([^}]*))?}");

  private final Map<String, Map<String, Object>> services;

  private ComposeFile(Map<String, Map<String, Object>> services) {
    this.services = services;
  }

  /**
   * A service.
   *
   * @param image without registry and tag
   */
  record Service(
      String image,
      List<String> entrypoint,
      List<String> command,
      Map<String, String> environment) {
    /** Returns the service with other paths and addresses. */
    Service with(Map<String, String> changes) {
      Map<String, String> changed = new HashMap<>();
      environment.forEach((key, value) -> changed.put(key, replaced(value, changes)));
      return new Service(
          image,
          entrypoint,
          command.stream().map(word -> replaced(word, changes)).toList(),
          changed);
    }
  }

  /**
   * Reads files; later ones override keys of a service.
   *
   * @param variables override those of .env
   */
  static ComposeFile read(Map<String, String> variables, String... files) throws IOException {
    var all = new HashMap<String, String>();
    for (String line : Files.readAllLines(FOLDER.resolve(".env"))) {
      if (line.contains("=") && !line.startsWith("#")) {
        all.put(line.replaceFirst("=.*", ""), line.replaceFirst("^[^=]*=", ""));
      }
    }
    all.putAll(variables);
    var services = new HashMap<String, Map<String, Object>>();
    for (String name : files) {
      String text = substituted(Files.readString(FOLDER.resolve(name)), all);
      Map<String, Map<String, Map<String, Object>>> file = new Yaml().load(text);
      file.get("services")
          .forEach(
              (service, keys) ->
                  services.computeIfAbsent(service, key -> new HashMap<>()).putAll(keys));
    }
    return new ComposeFile(services);
  }

  private static String substituted(String text, Map<String, String> variables) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found -> {
              String value = variables.getOrDefault(found.group(1), found.group(2));
              if (value == null) {
                throw new IllegalArgumentException(found.group() + " is not in .env");
              }
              return value;
            });
  }

  Service service(String name) {
    Map<String, Object> service = services.get(name);
    var environment = new HashMap<String, String>();
    if (service.get("environment") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> environment.put(key.toString(), value.toString()));
    }
    return new Service(
        service.get("image").toString().replaceFirst(":.*", ""),
        words(service, "entrypoint"),
        words(service, "command"),
        environment);
  }

  private static List<String> words(Map<String, Object> service, String key) {
    var words = new ArrayList<String>();
    if (service.get(key) instanceof List<?> given) {
      given.forEach(word -> words.add(word.toString()));
    }
    return words;
  }

  /** Replaces all keys by their values, in a single pass. */
  static String replaced(String text, Map<String, String> changes) {
    String keys = changes.keySet().stream().map(Pattern::quote).collect(joining("|"));
    return Pattern.compile(keys)
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(changes.get(found.group())));
  }
}
