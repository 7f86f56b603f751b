package dev.rondo.tools.check.cluster;

import dev.rondo.tools.check.cluster.TopicProposal.Kind;
import dev.rondo.tools.size.SourceCost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A proposed source for each topic of a cluster.
 *
 * @param topics sorted by name
 * @param internal number of topics of Rondo, Kafka and Kafka Streams, which are left out
 * @param weaknesses what is wrong with the bounds of record times, by topic
 */
public record ClusterCheck(
    List<TopicProposal> topics, int internal, Map<String, String> weaknesses) {
  /** Sorts the topics; a series that occurs in several topics belongs to no keyed source. */
  static ClusterCheck of(List<TopicProposal> topics, int internal, Map<String, String> weaknesses) {
    List<TopicProposal> sorted = new ArrayList<>(topics);
    sorted.sort(Comparator.comparing(TopicProposal::topic));
    Map<String, List<TopicProposal>> bySeries = new HashMap<>();
    for (TopicProposal topic : sorted) {
      topic.idents().forEach(i -> bySeries.computeIfAbsent(i, n -> new ArrayList<>()).add(topic));
    }
    Map<String, KeyedProposal> changed = new HashMap<>();
    bySeries.forEach(
        (series, sharing) -> {
          if (sharing.size() > 1) {
            for (TopicProposal topic : sharing) {
              TopicProposal other = sharing.get(topic.equals(sharing.get(0)) ? 1 : 0);
              changed.putIfAbsent(topic.topic(), topic.keyed().sharing(series, other.topic()));
            }
          }
        });
    sorted.replaceAll(topic -> topic.withKeyed(changed.getOrDefault(topic.topic(), topic.keyed())));
    return new ClusterCheck(sorted, internal, weaknesses);
  }

  public List<TopicProposal> sources() {
    return topics.stream().filter(topic -> topic.refusal().isEmpty()).toList();
  }

  /** The topics that are no source for this reason. */
  List<TopicProposal> refused(Kind kind) {
    return topics.stream()
        .filter(topic -> topic.refusal().filter(why -> why.kind() == kind).isPresent())
        .toList();
  }

  /** What is wrong with the bound of a topic's record times. */
  Optional<String> weakness(TopicProposal topic) {
    return Optional.ofNullable(weaknesses.get(topic.topic()));
  }

  double pointsPerSecond() {
    return sources().stream().mapToDouble(TopicProposal::pointsPerSecond).sum();
  }

  /** Estimated series of all sources. A series in several topics counts several times. */
  SeriesEstimate series() {
    return new SeriesEstimate(
        sources().stream().mapToLong(topic -> topic.series().series()).sum(),
        sources().stream().anyMatch(topic -> topic.series().isLeast()));
  }

  SourceCost cost() {
    return sources().stream().map(TopicProposal::cost).reduce(SourceCost.NONE, SourceCost::plus);
  }
}
