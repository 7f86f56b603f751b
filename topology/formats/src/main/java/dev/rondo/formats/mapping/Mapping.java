package dev.rondo.formats.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Assigns parts of a record to name, tags, time and values. All paths iterate over the same lists:
 * the loops of each path are a prefix of the longest loops.
 *
 * @param name of the series, before the name of the value
 * @param time of the points; empty = the time at which the record was written
 * @param values at least one
 */
public record Mapping(NamePattern name, List<Tag> tags, Optional<Path> time, List<Value> values) {
  /**
   * One tag, or one for each entry of a map or record.
   *
   * @param key of the tag; ignored for a map or record
   */
  public record Tag(String key, Path path) {}

  /**
   * One value, or one for each entry of a map or record.
   *
   * @param field last part of the series' name; {@code value} = none
   * @param prefix of the keys of a map or record; may be empty
   */
  public record Value(String field, String prefix, Path path) {}

  /** Throws {@link IllegalArgumentException} if the loops differ, or there is no value. */
  public Mapping {
    tags = List.copyOf(tags);
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no field is a value (values)");
    }
    Path longest = longest(paths(name, tags, time, values));
    for (Path path : paths(name, tags, time, values)) {
      if (!path.loops().equals(longest.loops().subList(0, path.loops().size()))) {
        throw new IllegalArgumentException(
            "'%s' and '%s' iterate over different lists: a source reads one of them"
                .formatted(path, longest));
      }
    }
  }

  /** A tag named by the last step of its path. */
  public static Tag tag(Path path) {
    return new Tag(path.last(), path);
  }

  /** A value named by the last step of its path; entries of a map have only their keys. */
  public static Value value(Path path) {
    return new Value(path.last(), "", path);
  }

  private static List<Path> paths(
      NamePattern name, List<Tag> tags, Optional<Path> time, List<Value> values) {
    List<Path> paths = new ArrayList<>(name.paths());
    tags.forEach(tag -> paths.add(tag.path()));
    time.ifPresent(paths::add);
    values.forEach(value -> paths.add(value.path()));
    return paths;
  }

  private static Path longest(List<Path> paths) {
    Path longest = paths.get(0);
    for (Path path : paths) {
      longest = path.loops().size() > longest.loops().size() ? path : longest;
    }
    return longest;
  }

  /** Steps to each list or map to iterate; each innermost item has one point or more. */
  List<List<String>> loops() {
    return longest(paths(name, tags, time, values)).loops();
  }
}
