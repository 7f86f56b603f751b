package dev.rondo.history.job;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.RondoTopics;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Settings of the topologies of a job: those of the running one, with a prefix of their own, so
 * that they share nothing with it.
 */
final class JobTopology {
  /** Settings of the running topology that are not those of a job. */
  private static final List<String> OWN =
      List.of(
          "application.id",
          "instance.id",
          "http.host",
          "policies.apply.at.start",
          "standby.replicas",
          "topics.create",
          "max.series");

  private static final int MANY = 100_000_000;

  private final TopologyConfig live;
  private final Job job;
  private final JobFolder folder;

  JobTopology(TopologyConfig live, Job job, JobFolder folder) {
    this.live = live;
    this.job = job;
    this.folder = folder;
  }

  /** Prefix of the topics and groups of a job. */
  static String prefix(TopologyConfig live, String id) {
    return live.names().prefix() + ".replay-" + id;
  }

  /** The policies that the job consolidates by. */
  Path policies() {
    return folder.dir().resolve("policies.yaml");
  }

  /** Settings of a worker, which has a number from 1. */
  TopologyConfig config(int worker) {
    return TopologyConfig.of(properties(worker));
  }

  /** Name of the by-series topic of the workers. */
  String bySeries() {
    return RondoTopics.bySeries(prefix(live, job.id()));
  }

  /** File with the settings of a worker. */
  Path settings(int worker) {
    return folder.dir().resolve("worker-%d.properties".formatted(worker));
  }

  /** Files with the number of points that each worker has dropped, over its restarts. */
  List<Path> drops() {
    return IntStream.rangeClosed(1, job.workers()).mapToObj(this::drops).toList();
  }

  private Path drops(int worker) {
    return folder.dir().resolve("worker-%d.drops".formatted(worker));
  }

  /** Writes the settings of a worker, and returns the file. */
  Path write(int worker) throws IOException {
    Path file = settings(worker);
    try (Writer out = Files.newBufferedWriter(file)) {
      properties(worker).store(out, null);
    }
    return file;
  }

  private Properties properties(int worker) {
    Properties properties = new Properties();
    live.originals()
        .forEach(
            (key, value) -> {
              if (!OWN.contains(key) && !key.startsWith("topic.")) {
                properties.setProperty(key, value.toString());
              }
            });
    properties.setProperty("rondo.prefix", prefix(live, job.id()));
    properties.setProperty("instance.id", Integer.toString(worker));
    properties.setProperty("state.dir", folder.dir().resolve("state-" + worker).toString());
    properties.setProperty("drops.file", drops(worker).toString());
    properties.setProperty("http.port", "0");
    properties.setProperty("policies.file", policies().toString());
    properties.setProperty("emit.by.time", "false");
    properties.setProperty("new.series.burst", Integer.toString(MANY));
    properties.setProperty("new.series.max.per.second", Integer.toString(MANY));
    properties.setProperty(
        "max.points.per.second", Long.toString((job.rate() + job.workers() - 1) / job.workers()));
    if (job.formats().isEmpty()) {
      properties.setProperty("sources.only", String.join(",", job.topics()));
    } else {
      properties.remove("sources.file");
      properties.setProperty(
          "sources",
          job.topics().stream()
              .map(topic -> topic + "=" + job.formats().get(topic))
              .collect(Collectors.joining(",")));
    }
    return properties;
  }
}
