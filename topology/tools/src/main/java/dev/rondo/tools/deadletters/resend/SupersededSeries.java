package dev.rondo.tools.deadletters;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which letters of {@code rondo.series} are of no use: the last record of a key is what is true of
 * its series, so a letter is old where its key has a later one.
 */
final class NewerEntries {
  private final Map<ByteBuffer, Map<DeadLetterOffset, Long>> letters = new HashMap<>();
  private final Map<Integer, Long> from = new HashMap<>();
  private final Set<DeadLetterOffset> superseded = new HashSet<>();

  /** Takes note of a letter if it is of that topic. */
  void add(DeadLetter letter) {
    if (letter.source().topic().equals(Topics.SERIES.name()) && letter.key() != null) {
      letters
          .computeIfAbsent(ByteBuffer.wrap(letter.key()), key -> new HashMap<>())
          .put(letter.place(), letter.source().offset());
      from.merge(letter.source().partition(), letter.source().offset(), Math::min);
    }
  }

  /** Reads what came after these letters; nothing where there are none. */
  void read(TopologyConfig config) {
    if (from.isEmpty()) {
      return;
    }
    try (TopicReader reader = new TopicReader(config, Topics.SERIES.name())) {
      from.replaceAll((partition, offset) -> Math.max(offset, reader.begins().get(partition)));
      reader.read(
          from,
          reader.ends(),
          record ->
              letters
                  .getOrDefault(ByteBuffer.wrap(record.key()), Map.of())
                  .forEach(
                      (place, offset) -> {
                        if (record.offset() > offset) {
                          superseded.add(place);
                        }
                      }));
    }
  }

  boolean supersede(Candidate candidate) {
    return superseded.contains(candidate.place());
  }
}
