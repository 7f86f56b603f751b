package dev.rondo.topology.source;

import dev.rondo.formats.schemaregistry.Pem;
import dev.rondo.formats.schemaregistry.Registry;
import dev.rondo.topology.policy.Spans;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Reads one entry of {@code registries}. Secrets come from files or the environment. */
final class RegistrySettings {
  /**
   * A thread that reads records waits for at most ten timeouts, and must poll again within 5
   * minutes.
   */
  static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);

  private final YamlMap map;

  /**
   * @param node value of the entry
   * @param key path of the entry in the file, for error texts
   */
  RegistrySettings(Object node, String key) {
    this.map =
        new YamlMap(node, key)
            .allowing(
                "url",
                "ca",
                "certificate",
                "key",
                "username",
                "password.file",
                "password.env",
                "token.file",
                "token.env",
                "timeout",
                "retry");
  }

  /** Returns a registry that needs only a URL. */
  static Registry of(String url, String key) {
    return new RegistrySettings(Map.of("url", url), key).registry();
  }

  Registry registry() {
    Duration timeout = span("timeout", Registry.TIMEOUT);
    if (timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new SettingException(
          "timeout %s is more than %d s (%s)"
              .formatted(map.text("timeout"), MAX_TIMEOUT.toSeconds(), map.key("timeout")));
    }
    return new Registry(url(), tls(), authorization(), timeout, span("retry", Registry.RETRY));
  }

  private URI url() {
    String text = map.text("url").replaceAll("/+$", "");
    try {
      URI url = URI.create(text);
      if (url.getUserInfo() != null) {
        throw new SettingException(
            "the URL has a user: set username, and password.file or password.env (%s)"
                .formatted(map.key("url")));
      }
      if (url.getHost() != null && text.matches("https?://.*")) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw new SettingException(
        "'%s' is not a URL like http://host:8081, nor one of the registries (%s)"
            .formatted(text, map.key("url")));
  }

  private Optional<SSLContext> tls() {
    if (map.has("certificate") != map.has("key")) {
      throw new SettingException(
          "certificate and key belong together, only one is set (%s)"
              .formatted(map.key(map.has("key") ? "key" : "certificate")));
    }
    if (!map.has("ca") && !map.has("certificate")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Pem.context(path("ca"), path("certificate"), path("key")));
    } catch (IOException e) {
      throw new SettingException(
          "cannot read file %s (%s)".formatted(e.getMessage(), map.key("ca")));
    } catch (GeneralSecurityException e) {
      throw new SettingException(e.getMessage() + " (" + map.key("ca") + ")");
    }
  }

  private Optional<Path> path(String key) {
    return map.has(key) ? Optional.of(Path.of(map.text(key))) : Optional.empty();
  }

  private Optional<Supplier<String>> authorization() {
    Optional<Supplier<String>> password = secret("password");
    Optional<Supplier<String>> token = secret("token");
    if (map.has("username") != password.isPresent()
        || (token.isPresent() && password.isPresent())) {
      throw new SettingException(
          "a registry needs username and password.file or password.env, or token.file or token.env,"
              + " or none of them (%s)".formatted(map.key("username")));
    }
    if (token.isPresent()) {
      return Optional.of(() -> "Bearer " + token.get().get());
    }
    return password.map(
        secret -> {
          String username = map.text("username");
          return () ->
              "Basic "
                  + Base64.getEncoder()
                      .encodeToString(
                          (username + ":" + secret.get()).getBytes(StandardCharsets.UTF_8));
        });
  }

  /**
   * Returns a secret that is read at each use, as it may change. Its file or variable must exist.
   */
  private Optional<Supplier<String>> secret(String name) {
    String fileKey = name + ".file";
    String variableKey = name + ".env";
    if (map.has(fileKey)) {
      Path file = Path.of(map.text(fileKey));
      if (!Files.isReadable(file)) {
        throw new SettingException("cannot read file '%s' (%s)".formatted(file, map.key(fileKey)));
      }
      return Optional.of(() -> read(file));
    }
    if (map.has(variableKey)) {
      String value = System.getenv(map.text(variableKey));
      if (value == null) {
        throw new SettingException(
            "the environment has no variable '%s' (%s)"
                .formatted(map.text(variableKey), map.key(variableKey)));
      }
      return Optional.of(() -> value);
    }
    return Optional.empty();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Duration span(String key, Duration byDefault) {
    return map.has(key) ? Duration.ofMillis(Spans.parseMs(map.text(key), map.key(key))) : byDefault;
  }
}
