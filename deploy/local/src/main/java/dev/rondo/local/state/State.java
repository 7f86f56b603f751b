package dev.rondo.local.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.rondo.local.settings.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code rondo.json} holds. Not safe for threads: the supervisor changes it in StateBoard. */
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

  /** All parts run, as of the last write; {@link #isReadyNow} looks again. */
  public boolean ready;

  /** {@code starting}, {@code ready}, {@code stopped} or {@code failed}. */
  public String phase = STOPPED;

  /** Why it failed, one line. */
  public String failure;

  /** The step of the start under way, and how many of how many are done. */
  public String doing;

  public int done;
  public int steps;

  /** host:port. */
  public String kafka;

  /** A postgresql:// URL; the others are http:// URLs. */
  public String postgres;

  public String api;
  public String connect;

  /** Null while what runs is from before there were any. */
  public String connectMetrics;

  public String topology;

  /** Ports last used, by part; taken again at the next start. */
  public Map<String, Integer> ports = new LinkedHashMap<>();

  public ProcessId supervisor;
  public Map<String, PartState> parts = new LinkedHashMap<>();

  /** The last things worth a line, oldest first. */
  List<String> notes = new ArrayList<>();

  /** How many notes there have ever been since the start. */
  public int noted;

  /** The state at the start of what {@code plan} says. */
  public static State starting(Plan plan, ProcessId supervisor) {
    var state = new State();
    state.phase = STARTING;
    state.kafka = plan.kafka();
    state.postgres = plan.postgres().url();
    state.api = plan.apiUrl();
    state.connect = plan.connectUrl();
    state.connectMetrics = plan.connectMetricsUrl();
    state.topology = plan.topologyUrl();
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

  /** The notes after the first {@code seen} of all. */
  public List<String> notesAfter(int seen) {
    int fresh = Math.max(0, Math.min(noted - seen, notes.size()));
    return List.copyOf(notes.subList(notes.size() - fresh, notes.size()));
  }

  public void put(String part, PartState news) {
    parts.put(part, news);
    ready = phase.equals(READY) && allPartsRun();
  }

  /** The start is over: all parts are up. */
  public void up() {
    phase = READY;
    doing = null;
    ready = allPartsRun();
  }

  /** All parts are gone. The ports stay for the next start. */
  public void ended(String endPhase, String why) {
    phase = endPhase;
    failure = why;
    doing = null;
    ready = false;
    supervisor = null;
    parts.clear();
  }

  public boolean isSupervised() {
    return supervisor != null && supervisor.isAlive();
  }

  /** The supervisor and all parts run at this moment. */
  public boolean isReadyNow() {
    return phase.equals(READY) && isSupervised() && allPartsRun();
  }

  /** Some part outlived its supervisor. */
  public boolean leftSomethingBehind() {
    return !isSupervised()
        && parts.values().stream().anyMatch(p -> p.process() != null && p.process().isAlive());
  }

  /** The parts that the user has stopped. */
  public List<String> stopped() {
    return parts.entrySet().stream()
        .filter(part -> part.getValue().state().equals(PartState.STOPPED))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean allPartsRun() {
    return parts.values().stream().allMatch(PartState::runs);
  }
}
