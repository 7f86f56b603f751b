package dev.rondo.local.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.local.settings.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Content of {@code rondo.json}. Not thread-safe; the supervisor changes it through {@link
 * StateBoard}.
 */
@JsonAutoDetect(
    fieldVisibility = JsonAutoDetect.Visibility.ANY,
    getterVisibility = JsonAutoDetect.Visibility.NONE,
    isGetterVisibility = JsonAutoDetect.Visibility.NONE)
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class State {
  public static final String STARTING = "starting";
  public static final String READY = "ready";
  public static final String STOPPED = "stopped";
  public static final String FAILED = "failed";

  private static final int MAX_NOTES = 20;

  /** Whether all parts ran at the last write; {@link #isReadyNow} checks again. */
  public boolean ready;

  /** {@code starting}, {@code ready}, {@code stopped} or {@code failed}. */
  public String phase = STOPPED;

  /** Reason of the failure, one line. */
  public String failure;

  /** Number of steps of the start. */
  public int steps;

  /** Running steps, and the seconds of each finished step, in order of their ends. */
  public List<String> begun = new ArrayList<>();

  public Map<String, Double> started = new LinkedHashMap<>();

  /** Prefix of this Rondo's topics, groups and connector; null before its first start. */
  public String prefix;

  /** host:port. */
  public String kafka;

  /** File with Kafka client settings; null if there is none. */
  public String kafkaConfig;

  /** File of the sources; null if the topic points is the only one. */
  public String sources;

  /** A postgresql:// URL; the following are http:// URLs. */
  public String postgres;

  public String api;

  /** File of the token that the query API requires; null if it requires none. */
  public String apiToken;

  public String connect;

  /** Metrics of the Connect worker and the sink. */
  public String connectMetrics;

  public String topology;

  /** URLs of metrics for Prometheus, by part. */
  public Map<String, String> metrics = new LinkedHashMap<>();

  /** Ports last used, by part; reused at the next start. */
  public Map<String, Integer> ports = new LinkedHashMap<>();

  public ProcessId supervisor;
  public Map<String, PartState> parts = new LinkedHashMap<>();

  /** Problems that {@code /status} of the query API reports, the worst first; null in the file. */
  public List<Problem> problems;

  /** Recent messages, oldest first. */
  List<String> notes = new ArrayList<>();

  /** Number of notes since the start, including dropped ones. */
  public int noted;

  public static State starting(Plan plan, ProcessId supervisor) {
    var state = new State();
    state.phase = STARTING;
    state.prefix = plan.names().prefix();
    state.kafka = plan.kafka().bootstrap();
    state.kafkaConfig = plan.kafka().file().map(Path::toString).orElse(null);
    state.sources = plan.sources() == null ? null : plan.sources().toString();
    state.postgres =
        plan.postgres().withoutAuth().url(); // psql before 16 does not support require_auth
    state.api = plan.apiUrl();
    state.apiToken = plan.apiToken() == null ? null : plan.apiToken().toString();
    state.connect = plan.connectUrl();
    state.connectMetrics = plan.connectMetricsUrl();
    state.topology = plan.topologyUrl();
    state.metrics.putAll(plan.metrics());
    state.ports.putAll(plan.ports());
    state.supervisor = supervisor;
    plan.notes().forEach(state::note);
    return state;
  }

  void note(String line) {
    notes.add(line);
    noted++;
    if (notes.size() > MAX_NOTES) {
      notes.remove(0);
    }
  }

  /** Returns client settings for the user's Kafka. */
  public KafkaSettings kafkaSettings() {
    return KafkaSettings.read(kafka, kafkaConfig == null ? null : Path.of(kafkaConfig));
  }

  /** Returns the notes after the first {@code seen}. */
  public List<String> notesAfter(int seen) {
    int fresh = Math.max(0, Math.min(noted - seen, notes.size()));
    return List.copyOf(notes.subList(notes.size() - fresh, notes.size()));
  }

  public void put(String part, PartState now) {
    parts.put(part, now);
    ready = phase.equals(READY) && allPartsRun();
  }

  /** Moves a step from the running to the finished ones. */
  public void started(String step, double seconds) {
    begun.remove(step);
    started.put(step, seconds);
  }

  /** Marks the start as complete. */
  public void up() {
    phase = READY;
    ready = allPartsRun();
  }

  /** Marks all parts as ended. Keeps the ports for the next start. */
  public void ended(String endPhase, String why) {
    phase = endPhase;
    failure = why;
    begun.clear();
    ready = false;
    supervisor = null;
    parts.clear();
  }

  public boolean isSupervised() {
    return supervisor != null && supervisor.isAlive();
  }

  /** Whether the supervisor and all parts run at this moment. */
  public boolean isReadyNow() {
    return phase.equals(READY) && isSupervised() && allPartsRun();
  }

  /** Whether parts run without their supervisor. */
  public boolean hasOrphanedParts() {
    return !isSupervised()
        && parts.values().stream().anyMatch(p -> p.process() != null && p.process().isAlive());
  }

  /** Returns the parts that the user has stopped. */
  public List<String> stopped() {
    return parts.entrySet().stream()
        .filter(part -> part.getValue().state().equals(PartState.STOPPED))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean allPartsRun() {
    return parts.values().stream().allMatch(PartState::runs);
  }

  /**
   * A problem of the pipeline.
   *
   * @param state {@code warning} or {@code critical}
   * @param stage of the pipeline
   * @param docs page with the remedy
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Problem(String state, String stage, String text, String docs) {}
}
