package dev.rondo.local;

import dev.rondo.connection.settings.LogFormat;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.local.logs.LogRotation;
import dev.rondo.local.logs.LogSize;
import dev.rondo.local.parts.OrphanedParts;
import dev.rondo.local.parts.Parts;
import dev.rondo.local.parts.Supervisor;
import dev.rondo.local.settings.DirLock;
import dev.rondo.local.settings.Heaps;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.TopologyProperties;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.ProcessId;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateBoard;
import dev.rondo.local.state.StateFile;
import dev.rondo.local.terminal.LivePicture;
import dev.rondo.local.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** Starts all parts, in the foreground until Ctrl-C or in the background. */
@Command(
    name = "up",
    abbreviateSynopsis = true,
    description = "Builds what is missing and starts all parts of Rondo on this machine.",
    footer = {
      "Ports: the port of an option must be free; 0 = any free port. Without the option, it "
          + "is the port last used in DIR, or the default. If a default port is taken, "
          + "another one is chosen if --detach or --dir is given or another Rondo runs; "
          + "otherwise the start fails.",
      "",
      "Environment: RONDO_KAFKA_HEAP=512m RONDO_CONNECT_HEAP=512m "
          + "RONDO_TOPOLOGY_HEAP=1g RONDO_HOST_METRICS_HEAP=64m RONDO_FILL_HEAP=64m (maximum heap of each), "
          + "RONDO_LOG_SIZE=10m (size at which a log in DIR/logs becomes .1, up to .4), "
          + "RONDO_LOG_FORMAT=text (or json), "
          + "RONDO_MIN_FREE_MB=1024 (minimum disk space at the start), RONDO_CACHE (unpacked "
          + "PostgreSQL), RONDO_NO_BUILD=1, RONDO_PYTHON, JAVA_HOME. With --kafka also "
          + "RONDO_KAFKA_CONFIG and client settings such as RONDO_KAFKA_SASL_JAAS_CONFIG. Other variables "
          + "RONDO_TOPOLOGY_... are ignored: use the file of --topology.",
      "",
      "Ctrl-C, SIGTERM or ./rondo down stop everything and keep the data in DIR."
    })
final class UpCommand implements Callable<Integer> {
  private static final Set<String> ALWAYS_EFFECTIVE = Set.of("--dir", "--detach");

  @Mixin private UpOptions options;

  @Spec private CommandSpec spec;

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var installation = Installation.current();
    var home = options.home(installation);
    installation.requireBuilt();
    home.create();
    Preflight.diskHasRoom(home);
    System.setProperty("rondo.log", home.log("rondo").toString()); // before the first logger

    options.requireFiles();
    State last = StateFile.read(home).orElseGet(State::new);
    if (last.isSupervised()) {
      return alreadyRuns(home, last);
    }
    if (options.detach && !options.supervised) {
      return startDetached(home);
    }
    return supervise(installation, home, last);
  }

  private Integer alreadyRuns(Home home, State state) {
    if (!state.isReadyNow()) {
      terminal.line("Rondo is already %s in %s".formatted(state.phase, home.dir()));
      return Main.FAILED;
    }
    terminal.line("Rondo is already running in " + home.dir());
    Addresses.lines(state, home).forEach(terminal::line);
    List<String> unused =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(name -> !ALWAYS_EFFECTIVE.contains(name))
            .toList();
    if (!unused.isEmpty()) {
      terminal.line(
          "Options take effect only at a start: run ./rondo down, then up again, to use %s"
              .formatted(String.join(" ", unused)));
    }
    return Main.OK;
  }

  private Integer startDetached(Home home) throws IOException, InterruptedException {
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    try (var display = new StartDisplay(terminal)) {
      var state = new Detached(home, arguments).start(display);
      announce(home, state);
      if (!options.noHostMetrics) {
        picture(state).drawOnce();
      }
      terminal.line(
          "Rondo runs in the background; open %s in a browser; ./rondo down stops it."
              .formatted(Addresses.explorer(state)));
    }
    return Main.OK;
  }

  private Integer supervise(Installation installation, Home home, State last)
      throws InterruptedException {
    var lock = DirLock.take(home);
    try (var display = new StartDisplay(terminal)) {
      int ended = OrphanedParts.end(last);
      if (ended > 0) {
        terminal.line(
            "stopped %d parts of an earlier Rondo whose supervisor was killed".formatted(ended));
      }
      start(installation, home, last, display);
      new CountDownLatch(1).await(); // all parts end when the JVM exits
      return Main.OK;
    } finally {
      lock.close();
    }
  }

  private void start(Installation installation, Home home, State last, StartDisplay display)
      throws InterruptedException {
    var heaps = new Heaps(System.getenv());
    heaps.check();
    LogFormat.fault(System.getenv())
        .ifPresent(
            fault -> {
              throw new UserError(fault);
            });
    var logs = new LogRotation(home.logs(), LogSize.bytes(System.getenv()));
    Plan plan = Planner.plan(options, home, last);
    State state = State.starting(plan, ProcessId.of(ProcessHandle.current()));
    PrometheusFiles.write(home, installation, plan);
    home.stopMarks().clear();
    var board = new StateBoard(home, state, display);
    logs.start(board::note);
    var parts =
        new Parts(
            home,
            installation,
            plan,
            heaps,
            board,
            () -> Planner.topologySettings(options, home, state));
    new Supervisor(board).start(parts.steps());
    announce(home, state);
    var settling = new Thread(() -> parts.settle(state), "settle");
    settling.setDaemon(true);
    settling.start();
    if (plan.hostMetrics() && !options.supervised) {
      LivePicture picture = picture(state);
      picture.drawOnce();
      if (terminal.isInteractive()) {
        picture.keepDrawing();
      }
    }
  }

  private LivePicture picture(State state) {
    Path token = state.apiToken == null ? null : Path.of(state.apiToken);
    return new LivePicture(state.api, token, terminal);
  }

  private void announce(Home home, State state) {
    if (OpenAtExit.isExiting()) {
      return;
    }
    terminal.line("Rondo is ready");
    Addresses.lines(state, home).forEach(terminal::line);
    List<String> ignored = TopologyProperties.ignored(System.getenv());
    if (!ignored.isEmpty()) {
      terminal.line(
          "warning: ./rondo up ignores %s: write settings of the topology to %s (--topology)"
              .formatted(String.join(", ", ignored), home.topologySettings()));
    }
    if (!state.parts.containsKey(Plan.KAFKA)) {
      WeakReplication.lines(state.kafkaSettings()).forEach(terminal::line);
    }
  }
}
