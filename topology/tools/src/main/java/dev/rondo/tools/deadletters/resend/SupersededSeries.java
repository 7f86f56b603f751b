package dev.rondo.tools.deadletters.resend;

import dev.rondo.schemas.Topics;
import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.OffsetRangeReader;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds dead letters of {@code rondo.series} that a later record with the same key supersedes. The
 * last record of a key describes its series, so sending an older one would be wrong.
 */
final class SupersededSeries {
  private final TopologyConfig config;
  private final String topic;
  private final Map<ByteBuffer, Map<DeadLetterLocation, Long>> deadLetters = new HashMap<>();
  private final Map<Integer, Long> from = new HashMap<>();
  private final Set<DeadLetterLocation> superseded = new HashSet<>();

  SupersededSeries(TopologyConfig config) {
    this.config = config;
    this.topic = config.topic(Topics.SERIES).name();
  }

  /** Remembers a dead letter if it is from that topic. */
  void add(DeadLetter deadLetter) {
    if (deadLetter.source().topic().equals(topic) && deadLetter.key() != null) {
      deadLetters
          .computeIfAbsent(ByteBuffer.wrap(deadLetter.key()), key -> new HashMap<>())
          .put(deadLetter.location(), deadLetter.source().offset());
      from.merge(deadLetter.source().partition(), deadLetter.source().offset(), Math::min);
    }
  }

  /** Reads the records after these dead letters, if there are any. */
  void read() {
    if (from.isEmpty()) {
      return;
    }
    try (OffsetRangeReader reader = new OffsetRangeReader(config, topic)) {
      from.replaceAll((partition, offset) -> Math.max(offset, reader.begins().get(partition)));
      reader.read(
          from,
          reader.ends(),
          record ->
              deadLetters
                  .getOrDefault(ByteBuffer.wrap(record.key()), Map.of())
                  .forEach(
                      (location, offset) -> {
                        if (record.offset() > offset) {
                          superseded.add(location);
                        }
                      }));
    }
  }

  boolean contains(Candidate candidate) {
    return superseded.contains(candidate.location());
  }
}
