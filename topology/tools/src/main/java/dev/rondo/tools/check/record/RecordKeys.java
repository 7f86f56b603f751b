package dev.rondo.tools.check.record;

import dev.rondo.schemas.Ident;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Statistics of the record keys. */
public final class RecordKeys {
  private final int records;
  private final int without;
  private final Set<String> different;
  private final Set<String> positions;

  RecordKeys(List<CheckedRecord> records) {
    List<CheckedRecord> keyed = records.stream().filter(record -> record.key() != null).toList();
    this.records = records.size();
    this.without = records.size() - keyed.size();
    this.different =
        keyed.stream().map(record -> KeyText.of(record.key())).collect(Collectors.toSet());
    this.positions = positions(keyed);
  }

  /** Parts of the ident that equal the record's key in every point of every record. */
  private static Set<String> positions(List<CheckedRecord> keyed) {
    Set<String> common = null;
    for (CheckedRecord record : keyed) {
      String key = KeyText.of(record.key());
      for (CheckedRecord.Point point : record.points()) {
        Set<String> positions = positions(key, Ident.parse(point.ident()));
        if (common == null) {
          common = positions;
        } else {
          common.retainAll(positions);
        }
      }
    }
    return common == null ? Set.of() : common;
  }

  private static Set<String> positions(String key, Ident ident) {
    Set<String> positions = new TreeSet<>();
    ident
        .tags()
        .forEach(
            (tag, value) -> {
              if (value.equals(key)) {
                positions.add("tag " + tag);
              }
            });
    String[] nodes = ident.name().split("\\.", -1);
    for (int n = 0; n < nodes.length; n++) {
      if (nodes[n].equals(key.replace('.', '_'))) {
        positions.add("node " + (n + 1) + " of the path");
      }
    }
    return positions;
  }

  /** Number of records without a key. */
  public int without() {
    return without;
  }

  public int different() {
    return different.size();
  }

  /**
   * Parts of the ident that equal the key, such as {@code tag host} or {@code node 2 of the path}.
   */
  public Set<String> positions() {
    return positions;
  }

  public String text() {
    if (without == records) {
      return "none";
    }
    String some = without == 0 ? "" : "%d of %d records have none; ".formatted(without, records);
    int keyed = records - without;
    if (!positions.isEmpty()) {
      return some
          + "equal to %s of their series, %d different"
              .formatted(String.join(" or ", positions), different());
    }
    if (different() == 1) {
      return some + "always '%s'".formatted(different.iterator().next());
    }
    return some
        + (different() == keyed
            ? "different in each of %d records, as if random".formatted(keyed)
            : "%d different in %d records".formatted(different(), keyed));
  }
}
