package dev.rondo.tools.check;

import dev.rondo.schemas.Ident;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the keys of records are. */
final class Keys {
  private final int records;
  private final int without;
  private final Set<String> different;
  private final Set<String> places;

  Keys(List<CheckedRecord> records) {
    List<CheckedRecord> keyed = records.stream().filter(record -> record.key() != null).toList();
    this.records = records.size();
    this.without = records.size() - keyed.size();
    this.different =
        keyed.stream().map(record -> KeyText.of(record.key())).collect(Collectors.toSet());
    this.places = places(keyed);
  }

  /** Where the record's key stands in the ident, in every point of every record. */
  private static Set<String> places(List<CheckedRecord> keyed) {
    Set<String> common = null;
    for (CheckedRecord record : keyed) {
      String key = KeyText.of(record.key());
      for (CheckedRecord.Point point : record.points()) {
        Set<String> places = places(key, Ident.parse(point.ident()));
        if (common == null) {
          common = places;
        } else {
          common.retainAll(places);
        }
      }
    }
    return common == null ? Set.of() : common;
  }

  private static Set<String> places(String key, Ident ident) {
    Set<String> places = new TreeSet<>();
    ident
        .tags()
        .forEach(
            (tag, value) -> {
              if (value.equals(key)) {
                places.add("tag " + tag);
              }
            });
    String[] nodes = ident.name().split("\\.", -1);
    for (int n = 0; n < nodes.length; n++) {
      if (nodes[n].equals(key.replace('.', '_'))) {
        places.add("node " + (n + 1) + " of the path");
      }
    }
    return places;
  }

  /** Records without a key. */
  int without() {
    return without;
  }

  int different() {
    return different.size();
  }

  /** Such as {@code tag host} or {@code node 2 of the path}; empty where it is in none. */
  Set<String> places() {
    return places;
  }

  String told() {
    if (without == records) {
      return "none";
    }
    String some = without == 0 ? "" : "%d of %d records have none; ".formatted(without, records);
    int keyed = records - without;
    if (!places.isEmpty()) {
      return some
          + "as %s of their series, %d different"
              .formatted(String.join(" or ", places), different());
    }
    if (different() == 1) {
      return some + "always '%s'".formatted(different.iterator().next());
    }
    return some
        + (different() == keyed
            ? "another one in each of %d records, as if random".formatted(keyed)
            : "%d different in %d records".formatted(different(), keyed));
  }
}
