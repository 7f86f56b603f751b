package dev.rondo.tools.why.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.formats.DropReason;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.why.facts.Facts.Drop;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.PointValidator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;

/** Points of the series that were not stored: by the instances, and in the dead letters. */
public final class DropStage {
  private final Cluster cluster;
  private final PointValidator validator;
  private final String ident;
  private final Name name;

  /** By where and reason. */
  private final Map<String, Drop> deadLetters = new LinkedHashMap<>();

  private DropStage(Cluster cluster, String ident, Name name) throws InterruptedException {
    this.cluster = cluster;
    this.validator = new PointValidator(cluster.timeLimits());
    this.ident = ident;
    this.name = name;
  }

  /**
   * Reads the drops of the instances and the newest dead letters.
   *
   * @param instances URLs of the topology
   * @param most dead letters of a partition to look at
   */
  public static List<Drop> read(
      Cluster cluster, List<String> instances, String ident, Name name, int most)
      throws InterruptedException {
    List<Drop> drops = new ArrayList<>();
    for (String instance : instances) {
      // that an instance does not answer is a fact of TopologyStage
      drops.addAll(Attempt.of(() -> ofInstance(instance, ident), error -> List.of()));
    }
    var stage = new DropStage(cluster, ident, name);
    drops.addAll(Attempt.of(() -> stage.deadLetters(most), error -> List.of()));
    return drops;
  }

  private static List<Drop> ofInstance(String instance, String ident)
      throws IOException, InterruptedException {
    List<Drop> drops = new ArrayList<>();
    JsonNode reasons = Http.get(instance + "/drops", null).json();
    reasons
        .fieldNames()
        .forEachRemaining(
            reason -> {
              for (JsonNode series : reasons.path(reason).path("series")) {
                if (ident.equals(series.path("ident").asText())) {
                  drops.add(
                      new Drop(
                          instance,
                          reason,
                          series.path("points").asLong(),
                          ms(series, "seen_ms"),
                          ms(series, "time_ms"),
                          ms(series, "previous_ms"),
                          series.path("detail").asText(null)));
                }
              }
            });
    return drops;
  }

  private static Long ms(JsonNode series, String member) {
    return series.has(member) ? series.path(member).asLong() : null;
  }

  private List<Drop> deadLetters(int most) {
    TopologyConfig config = cluster.config();
    String topic = config.topic(Topics.DEAD_LETTERS).name();
    cluster.newest(
        cluster.partitions(topic),
        most,
        Cluster.PATIENCE,
        record -> DeadLetter.of(record).ifPresent(this::look));
    return List.copyOf(deadLetters.values());
  }

  private void look(DeadLetter letter) {
    if (isOfSink(letter)) {
      add(letter, letter.reason(), null, letter.detail());
      return;
    }
    cluster
        .config()
        .sourceRules()
        .of(letter.source().topic())
        .ifPresent(
            source ->
                validator.validate(
                    SourceStage.decoder(source),
                    source.policy(),
                    letter.value(),
                    letter.ownHeaders(),
                    letter.writtenMs(),
                    new Rejected(letter)));
  }

  private boolean isOfSink(DeadLetter letter) {
    TopologyConfig config = cluster.config();
    String topic = letter.source().topic();
    if (topic.equals(config.topic(Topics.SERIES).name())) {
      return letter.key() != null && new String(letter.key(), UTF_8).equals(ident);
    }
    Location location = name.location();
    if (location == null || !topic.equals(config.topic(Topics.BUNDLE_ROWS).name())) {
      return false;
    }
    try {
      BundleRowKey key =
          Topics.BUNDLE_ROWS.keySerde().deserializer().deserialize(topic, letter.key());
      return key.getPolicy().equals(location.policy()) && key.getSeg() == location.segment();
    } catch (SerializationException e) {
      return false; // of any segment
    }
  }

  private void add(DeadLetter letter, String reason, Long tMs, String detail) {
    String where = cluster.config().topic(Topics.DEAD_LETTERS).name();
    Drop before = deadLetters.get(reason);
    deadLetters.put(
        reason,
        new Drop(
            where,
            reason,
            before == null ? 1 : before.points() + 1,
            letter.timeMs(),
            tMs,
            null,
            detail));
  }

  /** The points of the series that a dead letter has. */
  private final class Rejected implements PointValidator.Outcome {
    private final DeadLetter letter;

    Rejected(DeadLetter letter) {
      this.letter = letter;
    }

    @Override
    public void point(String found, long tMs, double value) {}

    @Override
    public void event(long tMs, String what, List<String> tags, String data) {}

    @Override
    public void reject(DropReason reason, String found, long tMs, String detail, int from, int to) {
      if (found.equals(ident)) {
        add(letter, reason.key(), tMs, detail);
      }
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {}
  }
}
