package dev.rondo.topology.check;

import dev.rondo.topology.policy.Ident;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the keys of records are. */
final class Keys {
  private final int records;
  private final int without;
  private final Set<String> different;
  private final Set<String> tags;

  Keys(List<CheckedRecord> records) {
    List<CheckedRecord> keyed = records.stream().filter(record -> record.key() != null).toList();
    this.records = records.size();
    this.without = records.size() - keyed.size();
    this.different =
        keyed.stream().map(record -> KeyText.of(record.key())).collect(Collectors.toSet());
    this.tags = tags(keyed);
  }

  /** Tags that have the record's key for a value, in every point of every record. */
  private static Set<String> tags(List<CheckedRecord> keyed) {
    Set<String> tags = null;
    for (CheckedRecord record : keyed) {
      String key = KeyText.of(record.key());
      for (CheckedRecord.Point point : record.points()) {
        Set<String> equal = new HashSet<>();
        for (Map.Entry<String, String> tag : Ident.parse(point.ident()).tags().entrySet()) {
          if (tag.getValue().equals(key)) {
            equal.add(tag.getKey());
          }
        }
        if (tags == null) {
          tags = equal;
        } else {
          tags.retainAll(equal);
        }
      }
    }
    return tags == null ? Set.of() : new TreeSet<>(tags);
  }

  /** Records without a key. */
  int without() {
    return without;
  }

  int different() {
    return different.size();
  }

  /** Keys of the tags whose value the record's key is; empty where it is none. */
  Set<String> tags() {
    return tags;
  }

  String told() {
    if (without == records) {
      return "none";
    }
    String some = without == 0 ? "" : "%d of %d records have none; ".formatted(without, records);
    int keyed = records - without;
    if (!tags.isEmpty()) {
      return some + "the tag %s, %d different".formatted(String.join(" or ", tags), different());
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
