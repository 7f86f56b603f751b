package dev.rondo.tools.why.stage;

import dev.rondo.schemas.SegmentNumber;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.why.facts.Facts.Lag;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.tools.why.facts.Facts.Sent;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.SeriesPartition;
import dev.rondo.topology.topics.RondoTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/** How far topology and sink have read the partitions that the series goes through. */
public final class LagStage {
  private final Cluster cluster;
  private final String ident;
  private final List<Lag> lags = new ArrayList<>();

  private LagStage(Cluster cluster, String ident) {
    this.cluster = cluster;
    this.ident = ident;
  }

  /**
   * Compares what is read with the ends of the partitions.
   *
   * @param applied offsets up to which the sink has applied partitions, which PostgreSQL has sooner
   *     than its group; empty = unknown
   */
  public static List<Lag> read(
      Cluster cluster, String ident, Name name, Sent sent, Map<String, Long> applied)
      throws InterruptedException {
    var stage = new LagStage(cluster, ident);
    Attempt.of(
        () -> {
          stage.topology(name, sent);
          stage.sink(name, applied);
          return true;
        },
        error -> false); // the lags that were found out stay
    return stage.lags;
  }

  /** The topology reads all partitions of a source: without a key a series is in each of them. */
  private void topology(Name name, Sent sent) throws ExecutionException, InterruptedException {
    TopologyConfig config = cluster.config();
    String group = config.getString("application.id");
    Map<TopicPartition, Long> committed = cluster.committed(group);
    List<TopicPartition> sources = new ArrayList<>();
    for (String topic : sent.topics()) {
      boolean isKeyed = config.sourceRules().of(topic).filter(s -> s.isKeyed()).isPresent();
      for (TopicPartition partition : cluster.partitions(topic)) {
        if (!isKeyed || isOwn(name.location(), sent, partition)) {
          sources.add(partition);
        }
      }
    }
    add("topology", sources, committed::get);
    List<TopicPartition> bySeries = cluster.partitions(RondoTopics.bySeries(group));
    if (!bySeries.isEmpty()) {
      int own = SeriesPartition.of(ident, bySeries.size());
      add("merge", List.of(bySeries.get(own)), committed::get);
    }
  }

  private static boolean isOwn(Location location, Sent sent, TopicPartition partition) {
    return sent.tasks().contains(partition.partition())
        || (location != null
            && SegmentNumber.partition(location.segment()) == partition.partition());
  }

  private void sink(Name name, Map<String, Long> applied) {
    if (name.location() == null || applied.isEmpty()) {
      return;
    }
    List<TopicPartition> own =
        new ArrayList<>(
            RowStage.partition(
                cluster,
                cluster.config().topic(Topics.BUNDLE_ROWS).name(),
                name.location().segment()));
    own.add(new TopicPartition(name.place().topic(), name.place().partition()));
    add("sink", own, partition -> applied.get(partition.toString()));
  }

  /**
   * @param read offset that is read next; null if nothing was read
   */
  private void add(
      String stage, List<TopicPartition> partitions, Function<TopicPartition, Long> read) {
    Map<TopicPartition, Long> ends = cluster.ends(partitions);
    for (TopicPartition partition : partitions) {
      long end = ends.get(partition);
      Long next = read.apply(partition);
      long from = next == null ? 0 : next;
      Long writtenMs = from >= end ? null : cluster.writtenMs(partition, from, end);
      lags.add(
          new Lag(
              stage,
              partition.toString(),
              next,
              end,
              writtenMs == null ? null : System.currentTimeMillis() - writtenMs));
    }
  }
}
