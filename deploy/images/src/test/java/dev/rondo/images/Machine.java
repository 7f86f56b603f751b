package dev.rondo.images;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A systemd in a container on the root of this machine. Its writes are in memory and end with it;
 * its network is this machine's.
 */
final class Machine implements AutoCloseable {
  /** Working directory of commands. */
  private static final String DOWNLOADS = "/mnt";

  private static final int JOURNAL_LINES = 60;
  private static final Duration START_BOUND = Duration.ofMinutes(3);

  /** Environment of a root login, without that of the tests' user. */
  private static final List<String> ENVIRONMENT =
      List.of("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root");

  /** Prefixes of variables that a build server needs to reach pip's index. */
  private static final List<String> PASSED_PREFIXES = List.of("PIP_", "SSL_CERT_", "https_proxy");

  private final ChildProcess container;

  private Machine(ChildProcess container) {
    this.container = container;
  }

  /** Returns why systemd cannot run here; empty if it can. */
  static String missing() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return "only root starts a systemd";
    }
    for (String program : List.of("systemd-nspawn", "nsenter", "unshare")) {
      if (!Commands.exists(program)) {
        return "there is no " + program + " (apt install systemd-container)";
      }
    }
    try {
      Commands.run(List.of("unshare", "--mount", "--pid", "--fork", "true"));
      return "";
    } catch (IllegalStateException e) {
      return "this machine has no namespaces for a systemd: " + e.getMessage();
    }
  }

  /**
   * Boots the machine.
   *
   * @param dir for its log
   * @param downloads folder of this machine where commands start; it is read only
   * @param kafka folder of this machine that it sees as /opt/kafka
   */
  static Machine boot(Path dir, Path downloads, Path kafka) {
    Path root = dir.resolve("root");
    String boot =
        """
        mkdir -p %1$s && mount --bind / %1$s && exec systemd-nspawn --quiet --directory=%1$s \
        --volatile=overlay --register=no --keep-unit --link-journal=no --machine=rondo \
        --console=pipe --bind-ro=%2$s:%3$s --bind-ro=%4$s:/opt/kafka --boot -- --unit=sysinit.target"""
            .formatted(root, downloads, DOWNLOADS, kafka);
    var container =
        ChildProcess.start(
            "systemd",
            List.of("unshare", "--mount", "sh", "-c", boot),
            Map.of(),
            dir,
            Launch.to(dir.resolve("systemd.log")));
    var machine = new Machine(container);
    container.awaitReady(
        START_BOUND, () -> machine.execute("systemctl is-system-running").equals("running"));
    return machine;
  }

  /**
   * Runs a bash script as root, and returns its output. Throws at the first failure, with the end
   * of the journal.
   */
  String run(String script) {
    try {
      return execute(script);
    } catch (IllegalStateException e) {
      String journal = execute("journalctl --no-pager --output=cat --lines=" + JOURNAL_LINES);
      throw new IllegalStateException(e.getMessage() + "\n\n" + journal, e);
    }
  }

  private String execute(String script) {
    return Commands.run(
        Stream.of(
                Stream.of("nsenter", "--target", Long.toString(init())),
                Stream.of("--mount", "--uts", "--ipc", "--pid", "--cgroup"),
                Stream.of("env", "-i"),
                ENVIRONMENT.stream(),
                passed(),
                Stream.of("bash", "-euc", "cd " + DOWNLOADS + "\n" + script))
            .flatMap(words -> words)
            .toList());
  }

  private static Stream<String> passed() {
    return System.getenv().entrySet().stream()
        .filter(each -> PASSED_PREFIXES.stream().anyMatch(each.getKey()::startsWith))
        .map(each -> each.getKey() + "=" + each.getValue());
  }

  private long init() {
    return container
        .process()
        .children()
        .filter(child -> "systemd".equals(name(child)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("systemd has not started yet"))
        .pid();
  }

  private static String name(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    container.close();
  }
}
