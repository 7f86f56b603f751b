package dev.rondo.tools.check.cluster;

import dev.rondo.tools.size.SourceCost;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.record.TimestampType;

/**
 * How a topic is proposed as a source, or why it is not.
 *
 * @param refusal why it is no source; empty for a source. The other components are of a source
 *     only.
 * @param settings of the source, but for keyed
 * @param idents of the sampled series
 */
record TopicProposal(
    String topic,
    Optional<Refusal> refusal,
    Map<String, Object> settings,
    KeyedProposal keyed,
    TimestampType timestampType,
    double recordsPerSecond,
    double pointsPerSecond,
    SeriesEstimate series,
    SourceCost cost,
    Set<String> idents) {

  /** Why a topic is no source. */
  enum Kind {
    NO_POINTS("No points would be stored"),
    FRAMED("Records of a schema registry, from which --registry=URL proposes a source"),
    EMPTY("Without records"),
    CONFIGURED("Sources of the settings"),
    UNREADABLE("No right to read, which needs the ACL operation READ"),
    WITHOUT_LEADER("No partition has a leader"),
    NOT_SAMPLED("Not sampled in time (--timeout)");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /**
   * Why a topic is no source.
   *
   * @param detail empty if the kind says all
   */
  record Refusal(Kind kind, String detail) {}

  static TopicProposal refused(String topic, Kind kind, String detail) {
    return new TopicProposal(
        topic,
        Optional.of(new Refusal(kind, detail)),
        Map.of(),
        new KeyedProposal(false, ""),
        TimestampType.NO_TIMESTAMP_TYPE,
        0,
        0,
        new SeriesEstimate(0, false),
        SourceCost.NONE,
        Set.of());
  }

  TopicProposal withKeyed(KeyedProposal changed) {
    return new TopicProposal(
        topic,
        refusal,
        settings,
        changed,
        timestampType,
        recordsPerSecond,
        pointsPerSecond,
        series,
        cost,
        idents);
  }
}
