package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.TokenFile;
import dev.rondo.local.state.HttpProbe;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateFile;
import dev.rondo.local.terminal.Terminal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the state of the parts. Exit code 0: ready; 1: partially running; 3: not running. */
@Command(
    name = "status",
    description = "Shows which parts of a Rondo run: state, pid, address, restarts, since.",
    footer = {
      "Exit code 0 if everything is ready, 1 if only some parts run, 3 if none does.",
      "Below the parts it prints why parts ended, and the problems that /status of the query API "
          + "reports.",
      "--json prints one object: ready, phase, prefix, kafka (host:port), kafkaConfig (its file, if any), the URLs postgres,"
          + " api, connect, connectMetrics and topology, metrics ({part: URL}, for Prometheus), apiToken (the file of the query API's token, with up"
          + " --token), and parts: {name: {state, pid, at, restarts, since, log, error}}, and problems: [{state, stage, text, docs}] of the"
          + " query API's /status."
    })
final class StatusCommand implements Callable<Integer> {
  private static final String ROW = "%-13s %-9s %-8s %8s  %-6s %s";

  @Mixin private HomeOption option;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() throws InterruptedException {
    Home home = option.home();
    State state = StateFile.read(home).orElseGet(State::new);
    boolean isStarted = state.isSupervised() && state.phase.equals(State.READY);
    String fault = isStarted ? fault(state) : "";
    state.problems = isStarted ? problems(state) : List.of();
    state.ready = isStarted && fault.isEmpty();
    if (json) {
      System.out.print(StateFile.toJson(state));
    } else {
      print(home, state, fault);
    }
    if (state.ready) {
      return Main.OK;
    }
    return state.isSupervised() || state.hasOrphanedParts() ? Main.FAILED : Main.NOT_RUNNING;
  }

  /** Returns why a started Rondo is not ready; empty if it is. */
  private static String fault(State state) throws InterruptedException {
    List<String> idle =
        state.parts.entrySet().stream()
            .filter(part -> !part.getValue().runs())
            .map(part -> part.getKey() + " is " + shown(part.getValue()))
            .toList();
    if (!idle.isEmpty()) {
      return String.join(", ", idle);
    }
    String ofTopology = HttpProbe.fault(state.topology + "/health");
    if (!ofTopology.isEmpty()) {
      return "topology: " + ofTopology;
    }
    String ofApi = HttpProbe.fault(state.api + "/health");
    return ofApi.isEmpty() ? "" : "api: " + ofApi;
  }

  private static List<State.Problem> problems(State state) throws InterruptedException {
    PartState api = state.parts.get(Plan.API);
    return api != null && api.runs()
        ? HttpProbe.problems(
            state.api, state.apiToken == null ? null : TokenFile.read(Path.of(state.apiToken)))
        : List.of();
  }

  private void print(Home home, State state, String fault) {
    terminal.line(summary(home, state, fault));
    if (state.parts.isEmpty()) {
      return;
    }
    terminal.line(ROW.formatted("PART", "STATE", "PID", "RESTARTS", "SINCE", "ADDRESS"));
    state.parts.forEach((name, part) -> terminal.line(row(name, part)));
    errors(state).forEach(terminal::line);
    if (state.ready) {
      Addresses.lines(state, home).forEach(terminal::line);
    }
  }

  /** Returns why parts ended, and the problems that the query API reports. */
  private static List<String> errors(State state) {
    var ends =
        state.parts.entrySet().stream()
            .filter(part -> part.getValue().error() != null)
            .map(part -> "%s: %s".formatted(part.getKey(), part.getValue().error()));
    var problems =
        state.problems.stream()
            .map(each -> "%s: %s; see %s".formatted(each.state(), each.text(), each.docs()));
    return Stream.concat(ends, problems).toList();
  }

  private static String summary(Home home, State state, String fault) {
    if (state.ready) {
      return "Rondo is ready in " + home.dir();
    }
    List<String> stopped = state.stopped();
    if (state.isSupervised() && !stopped.isEmpty()) {
      return "Rondo runs without %s in %s; ./rondo start PART restarts it"
          .formatted(String.join(", ", stopped), home.dir());
    }
    if (state.isSupervised()) {
      return fault.isEmpty()
          ? "Rondo is %s in %s".formatted(state.phase, home.dir())
          : "Rondo is not ready in %s: %s".formatted(home.dir(), fault);
    }
    if (state.hasOrphanedParts()) {
      return "the supervisor in %s was killed; ./rondo down stops its remaining parts"
          .formatted(home.dir());
    }
    String failure = state.failure == null ? "" : "; the last start failed: " + state.failure;
    return "no Rondo runs in " + home.dir() + failure;
  }

  private static String shown(PartState part) {
    boolean dead = part.state().equals(PartState.RUNNING) && !part.runs();
    return dead ? PartState.DOWN : part.state();
  }

  private static String row(String name, PartState part) {
    return ROW.formatted(
            name,
            shown(part),
            part.pid() == null ? "-" : part.pid().toString(),
            part.restarts(),
            ago(Instant.parse(part.since())),
            part.at() == null ? "" : part.at())
        .stripTrailing();
  }

  /** Formats an age, such as 45s, 12m, 3h, 2d. */
  static String ago(Instant since) {
    var past = Duration.between(since, Instant.now());
    if (past.toMinutes() == 0) {
      return past.toSeconds() + "s";
    }
    if (past.toHours() == 0) {
      return past.toMinutes() + "m";
    }
    return past.toDays() == 0 ? past.toHours() + "h" : past.toDays() + "d";
  }
}
