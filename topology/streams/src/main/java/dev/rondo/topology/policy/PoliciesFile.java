package dev.rondo.topology.policy;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.settings.YamlFile;
import dev.rondo.topology.settings.YamlMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/** Reads the policies file; throws {@link SettingException} for any error in it. */
public final class PoliciesFile {
  private static final String DROP = "drop";
  private static final String FINEST = "finest";
  private static final int HEARTBEAT_STEPS = 10;
  private static final int MAX_SERIES = 1_000_000;

  /** Most archives of a policy, as each series has an open slot in each. */
  private static final int MAX_ARCHIVES = 32;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");

  private PoliciesFile() {}

  /** Reads a file; the message of an error begins with its path. */
  public static Policies read(Path file) {
    return YamlFile.read(file, "policies.file", PoliciesFile::parse);
  }

  /** Returns the text of a valid file; the message of an error begins with its path. */
  public static String text(Path file) {
    return YamlFile.read(
        file,
        "policies.file",
        yaml -> {
          parse(yaml);
          return yaml;
        });
  }

  public static Policies parse(String yaml) {
    YamlMap root = YamlFile.parse(yaml, "policies").allowing("policies");
    List<Policy> policies = new ArrayList<>();
    Set<String> names = new HashSet<>();
    List<?> items = root.list("policies");
    for (int n = 0; n < items.size(); n++) {
      Policy policy = policy(new YamlMap(items.get(n), "policies[" + n + "]"));
      if (!names.add(policy.name())) {
        throw new SettingException(
            "two policies are named '" + policy.name() + "' (policies[" + n + "].name)");
      }
      policies.add(policy);
    }
    if (policies.isEmpty()) {
      throw new SettingException("no policy is configured, so nothing would be stored (policies)");
    }
    if (policies.stream().allMatch(Policy::drops)) {
      throw new SettingException(
          "every policy drops its series: nothing would be stored (policies)");
    }
    return new Policies(policies);
  }

  private static Policy policy(YamlMap map) {
    map.allowing(
        "name",
        "match",
        "tags",
        DROP,
        "step",
        "heartbeat",
        FINEST,
        "reorder",
        "expire.after",
        "max.series",
        "emit.open",
        "aggregate",
        "archives");
    String name = map.text("name");
    if (!NAME.matcher(name).matches()) {
      throw new SettingException(
          "name '%s' is not 1 to 63 letters, digits, '_', '.' or '-' (%s)"
              .formatted(name, map.key("name")));
    }
    if (map.has(DROP) && map.truth(DROP)) {
      return dropping(name, map);
    }
    long stepMs = Spans.parseMs(map.text("step"), map.key("step"));
    if (stepMs == 0) {
      throw new SettingException("step is 0 (" + map.key("step") + ")");
    }
    long heartbeatMs = heartbeatMs(map, stepMs);
    ConsolidationFunction finest = finest(map, heartbeatMs);
    ConsolidationFunction aggregate =
        map.has("aggregate")
            ? ArchiveSpec.function(map.text("aggregate"), heartbeatMs == 0, map.key("aggregate"))
            : finest == ConsolidationFunction.SUM ? finest : ConsolidationFunction.WMEAN;
    List<Archive> archives = archives(map, new ArchiveSpec(stepMs, finest, aggregate));
    return new Policy(
        name,
        map.regexp("match"),
        tags(map),
        stepMs,
        heartbeatMs,
        finest,
        map.has("reorder") ? spanMs(map, "reorder") : 0,
        expireAfterMs(map, heartbeatMs, archives),
        maxSeries(map),
        map.has("emit.open") ? map.truth("emit.open") : finest == ConsolidationFunction.LAST,
        aggregate,
        archives);
  }

  private static Policy dropping(String name, YamlMap map) {
    for (String key : map.keys()) {
      if (!List.of("name", "match", "tags", DROP).contains(key)) {
        throw new SettingException(
            "policy '%s' drops its series, so it has no %s (%s)"
                .formatted(name, key, map.key(key)));
      }
    }
    return Policy.dropping(name, map.regexp("match"), tags(map));
  }

  private static Map<String, String> tags(YamlMap map) {
    Map<String, String> tags = new TreeMap<>();
    if (map.has("tags")) {
      YamlMap wanted = new YamlMap(map.get("tags"), map.key("tags"));
      wanted.keys().forEach(tag -> tags.put(tag, wanted.text(tag)));
    }
    return tags;
  }

  private static long heartbeatMs(YamlMap map, long stepMs) {
    if (!map.has("heartbeat")) {
      return map.has(FINEST) ? 0 : HEARTBEAT_STEPS * stepMs;
    }
    return spanMs(map, "heartbeat");
  }

  private static ConsolidationFunction finest(YamlMap map, long heartbeatMs) {
    if (!map.has(FINEST)) {
      return heartbeatMs == 0 ? ConsolidationFunction.LAST : ConsolidationFunction.WMEAN;
    }
    String text = map.text(FINEST);
    if (!List.of("last", "sum").contains(text)) {
      throw new SettingException(
          "finest '%s' is not one of last, sum (%s)".formatted(text, map.key(FINEST)));
    }
    if (heartbeatMs > 0) {
      throw new SettingException(
          "finest needs heartbeat 0: with a heartbeat a point is the value of the time before it (%s)"
              .formatted(map.key(FINEST)));
    }
    return ArchiveSpec.function(text, true, map.key(FINEST));
  }

  /** Reads a length of time that may be 0, with or without a unit. */
  private static long spanMs(YamlMap map, String key) {
    String text = map.text(key);
    return text.equals("0") ? 0 : Spans.parseMs(text, map.key(key));
  }

  private static long expireAfterMs(YamlMap map, long heartbeatMs, List<Archive> archives) {
    if (!map.has("expire.after")) {
      return Math.max(heartbeatMs, greatest(archives, ArchiveShape::spanMs));
    }
    long expireAfterMs = spanMs(map, "expire.after");
    refuseBelow("heartbeat", heartbeatMs, expireAfterMs, map);
    refuseBelow("coarsest step", greatest(archives, ArchiveShape::stepMs), expireAfterMs, map);
    return expireAfterMs;
  }

  private static long greatest(List<Archive> archives, ToLongFunction<ArchiveShape> of) {
    return archives.stream().map(Archive::shape).mapToLong(of).max().orElseThrow();
  }

  private static void refuseBelow(String bound, long boundMs, long expireAfterMs, YamlMap map) {
    if (expireAfterMs < boundMs) {
      throw new SettingException(
          "expire.after %s is less than the %s, %s (%s)"
              .formatted(
                  map.text("expire.after"), bound, Spans.format(boundMs), map.key("expire.after")));
    }
  }

  private static int maxSeries(YamlMap map) {
    if (!map.has("max.series")) {
      return MAX_SERIES;
    }
    String text = map.text("max.series");
    try {
      int maxSeries = Integer.parseInt(text);
      if (maxSeries >= 1) {
        return maxSeries;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number out of bounds
    }
    throw new SettingException(
        "max.series '%s' is not a whole number within 1..%d (%s)"
            .formatted(text, Integer.MAX_VALUE, map.key("max.series")));
  }

  private static List<Archive> archives(YamlMap map, ArchiveSpec spec) {
    List<Archive> archives = new ArrayList<>();
    Set<String> bundles = new HashSet<>();
    List<?> items = map.list("archives");
    for (int n = 0; n < items.size(); n++) {
      String key = map.key("archives") + "[" + n + "]";
      Archive archive = spec.parse(String.valueOf(items.get(n)), key);
      if (!bundles.add(archive.function() + " " + archive.shape())) {
        throw new SettingException(
            "'"
                + items.get(n)
                + "' has the function, step and span of an earlier one ("
                + key
                + ")");
      }
      archives.add(archive);
    }
    if (archives.size() > MAX_ARCHIVES) {
      throw new SettingException(
          "%d archives, more than %d (%s)"
              .formatted(archives.size(), MAX_ARCHIVES, map.key("archives")));
    }
    if (archives.isEmpty()) {
      throw new SettingException("no archive is configured (" + map.key("archives") + ")");
    }
    return archives;
  }
}
