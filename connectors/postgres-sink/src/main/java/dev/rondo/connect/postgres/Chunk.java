package dev.rondo.connect.postgres;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A run of slot indexes of one segment in one bundle, whose rows are reserved, and grow, together:
 * so they lie side by side.
 *
 * @param bundle id
 * @param first index
 * @param last index, inclusive
 * @param capacity length of {@code dp}
 */
record Chunk(int bundle, int seg, int first, int last, int capacity) {
  private record Key(int bundle, int seg, int first) {}

  /** A relation {@code c (bundle, seg, first, last, capacity, n)}, n from 1 in the order given. */
  static final String UNNEST =
      """
      unnest((select ?::int[]), (select ?::int[]), (select ?::int[]), (select ?::int[]),
             (select ?::int[]))
        with ordinality as c (bundle, seg, first, last, capacity, n)
      """;

  /**
   * The chunks that {@code rows} are in, in their order.
   *
   * @param slots of a chunk; those of an archive are counted from index 0, the last may be shorter
   */
  static List<Chunk> of(
      Collection<Row> rows, Map<Bundle, Integer> ids, int slots, Capacities capacities) {
    var chunks = new LinkedHashMap<Key, Chunk>();
    for (Row row : rows) {
      int bundle = ids.get(row.key().bundle());
      int first = row.key().i() / slots * slots;
      int last = Math.min(first + slots, row.key().bundle().size()) - 1;
      chunks.merge(
          new Key(bundle, row.key().seg(), first),
          new Chunk(bundle, row.key().seg(), first, last, capacities.of(row)),
          (a, b) -> a.capacity >= b.capacity ? a : b);
    }
    return new ArrayList<>(chunks.values());
  }

  /** The parameters of {@link #UNNEST}. */
  static Object[] columns(List<Chunk> chunks) {
    return new Object[] {
      column(chunks, Chunk::bundle),
      column(chunks, Chunk::seg),
      column(chunks, Chunk::first),
      column(chunks, Chunk::last),
      column(chunks, Chunk::capacity)
    };
  }

  private static int[] column(List<Chunk> chunks, ToIntFunction<Chunk> field) {
    return chunks.stream().mapToInt(field).toArray();
  }
}
