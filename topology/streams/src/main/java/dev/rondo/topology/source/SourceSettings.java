package dev.rondo.topology.source;

import dev.rondo.connection.settings.Nearest;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.mapping.Fit;
import dev.rondo.formats.mapping.MappedSource;
import dev.rondo.formats.mapping.Mapping;
import dev.rondo.formats.mapping.SchemaDecoder;
import dev.rondo.formats.mapping.SchemaReader;
import dev.rondo.formats.schemaregistry.SchemaFile;
import dev.rondo.formats.schemaregistry.Schemas;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Reads an entry of the sources file. */
final class SourceSettings {
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private static final Pattern TAG =
      Pattern.compile("[^\\s,]{1,100}", Pattern.UNICODE_CHARACTER_CLASS);

  private static final Map<String, TimeUnit> UNITS =
      Map.of(
          "s", TimeUnit.SECONDS,
          "ms", TimeUnit.MILLISECONDS,
          "us", TimeUnit.MICROSECONDS,
          "ns", TimeUnit.NANOSECONDS);

  private final YamlMap map;
  private final String key;
  private final SourceDefaults defaults;
  private final Registries registries;

  /**
   * @param node value of the entry
   * @param key path of the entry in the file, for error texts
   */
  SourceSettings(Object node, String key, SourceDefaults defaults, Registries registries) {
    this.map =
        new YamlMap(node, key)
            .allowing(
                "topic",
                "pattern",
                "format",
                "dialect",
                "time.unit",
                "keyed",
                "policy",
                "template",
                "prefix",
                "tags",
                "labels",
                "registry",
                "schema",
                "message",
                "framed",
                "mapping");
    this.registries = registries;
    this.key = key;
    this.defaults = defaults;
  }

  SourceRule rule() {
    if (map.has("topic") == map.has("pattern")) {
      throw new SettingException(
          "a source needs either topic or pattern, this one has %s (%s)"
              .formatted(map.has("topic") ? "both" : "neither", key));
    }
    if (map.has("topic")) {
      return SourceRule.ofTopic(source(topic()), key);
    }
    return SourceRule.ofPattern(map.regexp("pattern"), source(""), key);
  }

  private String topic() {
    String topic = map.text("topic");
    if (!TOPIC.matcher(topic).matches()) {
      throw new SettingException(
          "topic '%s' is not 1 to 249 letters, digits, '.', '_' or '-'; for several topics use pattern (%s)"
              .formatted(topic, map.key("topic")));
    }
    return topic;
  }

  private Source source(String topic) {
    Format format = map.has("format") ? format(map.text("format"), map.key("format")) : Format.AUTO;
    var settings =
        new DecoderSettings(
            defaults.identMaxBytes(),
            defaults.identMaxTags(),
            timeUnit(format),
            dialect(format),
            defaults.limits(),
            new NameSettings(map).rules(),
            mapped(format),
            eventTags(format));
    checkEvents(format);
    return new Source(topic, format, settings, isKeyed(), policy());
  }

  /**
   * Returns the format with this key; throws {@link SettingException} if there is none.
   *
   * @param setting path of the setting, for the error text
   */
  static Format format(String key, String setting) {
    return Format.of(key)
        .orElseThrow(
            () -> {
              List<String> known = Arrays.stream(Format.values()).map(Format::key).toList();
              return new SettingException(
                  "format '%s' is not one of %s: did you mean '%s'? (%s)"
                      .formatted(key, String.join(", ", known), Nearest.to(key, known), setting));
            });
  }

  private Optional<MappedSource> mapped(Format format) {
    for (String setting : List.of("registry", "mapping")) {
      if (map.has(setting) && !format.takesMapping()) {
        throw new SettingException(
            "format '%s' takes no %s: set format to avro, protobuf or json (%s)"
                .formatted(format.key(), setting, map.key(setting)));
      }
    }
    for (String setting : List.of("schema", "message", "framed")) {
      if (map.has(setting) && !format.needsSchema()) {
        throw new SettingException(
            "format '%s' takes no %s: set format to avro or protobuf (%s)"
                .formatted(format.key(), setting, map.key(setting)));
      }
    }
    if (!format.needsSchema()) {
      return map.has("mapping")
          ? Optional.of(new MappedSource(new MappingSettings(map).mapping(), Optional.empty()))
          : Optional.empty();
    }
    if (map.has("registry") == map.has("schema")) {
      throw new SettingException(
          "format '%s' needs either a registry or a schema file, this source has %s (%s)"
              .formatted(format.key(), map.has("schema") ? "both" : "neither", key));
    }
    for (String setting : List.of("message", "framed")) {
      if (map.has(setting) && map.has("registry")) {
        throw new SettingException(
            "%s belongs to a schema file: records of a registry name what they are (%s)"
                .formatted(setting, map.key(setting)));
      }
    }
    Mapping mapping = new MappingSettings(map).mapping();
    Schemas schemas =
        map.has("registry")
            ? registries.schemas(map.text("registry"), map.key("registry"))
            : schemaFile(format, mapping);
    return Optional.of(new MappedSource(mapping, Optional.of(schemas)));
  }

  private Schemas schemaFile(Format format, Mapping mapping) {
    SchemaDecoder.Compiler compiler = format.compiler();
    SchemaFile file =
        SchemaFiles.read(
            map.text("schema"),
            compiler.type(),
            map.has("message") ? map.text("message") : "",
            map.has("framed") && map.truth("framed"),
            map.key("schema"));
    try {
      SchemaReader reader = compiler.compile(file);
      boolean isNamedByRecord =
          file.isFramed() && file.message().isEmpty() && compiler.hasMessages();
      if (!isNamedByRecord) {
        Fit.check(mapping, reader.shape(), file.schema().label());
      }
    } catch (DroppedException e) {
      throw new SettingException(e.getMessage() + " (" + map.key("schema") + ")");
    }
    return file;
  }

  private static void check(String tag, String setting) {
    if (!TAG.matcher(tag).matches()) {
      throw new SettingException(
          "tag '%s' is not 1 to 100 characters without commas and white space (%s)"
              .formatted(tag, setting));
    }
  }

  private List<String> eventTags(Format format) {
    if (!map.has("tags")) {
      return List.of();
    }
    if (format.holdsPoints()) {
      throw new SettingException(
          "format '%s' takes no tags: they are those of events (%s)"
              .formatted(format.key(), map.key("tags")));
    }
    List<String> tags = map.texts("tags");
    tags.forEach(tag -> check(tag, map.key("tags")));
    return tags;
  }

  /**
   * Rejects settings of series, which have no effect on events: a prefix would not separate
   * tenants.
   */
  private void checkEvents(Format format) {
    if (format.holdsPoints()) {
      return;
    }
    for (String setting : List.of("keyed", "policy", "template", "prefix", "labels")) {
      if (map.has(setting)) {
        throw new SettingException(
            "format '%s' takes no %s: events have no series; use tags to distinguish them (%s)"
                .formatted(format.key(), setting, map.key(setting)));
      }
    }
  }

  private Optional<TimeUnit> timeUnit(Format format) {
    if (!map.has("time.unit")) {
      return Optional.empty();
    }
    if (!format.takesTimeUnit()) {
      throw new SettingException(
          "format '%s' has a fixed time unit (%s)".formatted(format.key(), map.key("time.unit")));
    }
    String text = map.text("time.unit");
    if (!UNITS.containsKey(text)) {
      throw new SettingException(
          "time.unit '%s' is not one of s, ms, us, ns (%s)".formatted(text, map.key("time.unit")));
    }
    return Optional.of(UNITS.get(text));
  }

  private Optional<String> dialect(Format format) {
    if (!map.has("dialect")) {
      return Optional.empty();
    }
    String text = map.text("dialect");
    List<String> known = format.dialects();
    if (known.isEmpty()) {
      throw new SettingException(
          "format '%s' has no dialects (%s)".formatted(format.key(), map.key("dialect")));
    }
    if (!known.contains(text)) {
      throw new SettingException(
          "dialect '%s' is not one of %s: did you mean '%s'? (%s)"
              .formatted(
                  text, String.join(", ", known), Nearest.to(text, known), map.key("dialect")));
    }
    return Optional.of(text);
  }

  private boolean isKeyed() {
    return map.has("keyed") && map.truth("keyed");
  }

  private String policy() {
    if (!map.has("policy")) {
      return "";
    }
    String name = map.text("policy");
    List<String> known = defaults.policies().inOrder().stream().map(Policy::name).toList();
    if (!known.contains(name)) {
      throw new SettingException(
          "policy '%s' is not one of %s: did you mean '%s'? (%s)"
              .formatted(
                  name, String.join(", ", known), Nearest.to(name, known), map.key("policy")));
    }
    return name;
  }
}
