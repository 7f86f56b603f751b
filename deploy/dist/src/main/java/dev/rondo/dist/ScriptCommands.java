package dev.rondo.dist;

import dev.rondo.connection.command.CommandLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Describes commands that scripts implement, for help, completion and manual. A description has the
 * form of a help text: purpose, options, notes.
 */
final class ScriptCommands {
  /** An option or parameter in the form of the synopsis, and its description. */
  private static final Pattern ARGUMENT =
      Pattern.compile(
          "  (?<name>-[-a-zD]*|[A-Z]+)(?<label>\\[?=?[A-Z=]+]?)?(?<more>\\.{3})?  +(?<text>.*)");

  private final Map<String, CommandLine> commands = new TreeMap<>();

  private ScriptCommands() {}

  /** Returns the commands of {@code bin/rondo} in a release, by name. */
  static Map<String, CommandLine> ofRelease() {
    return new ScriptCommands()
        .add(
            "api",
            """
            Runs the query API until SIGTERM or SIGINT.

            Its settings are environment variables, RONDO_API_*: docs/reference/query-api-settings.md.
              --install  Install its Python packages once, from the wheel and the lock file of this \
            release, into api/venv or the folder in RONDO_VENV. pip fetches them from its index.
            Environment: PYTHON (default: python3), for --install only.
            """)
        .commands;
  }

  /** Returns the commands of {@code ./rondo} in a clone, by name. */
  static Map<String, CommandLine> ofClone() {
    Map<String, CommandLine> all =
        new ScriptCommands()
            .add(
                "test",
                """
                Runs all checks and tests, or chosen ones.

                The fast ones come first: shellcheck, ruff, mypy and the Java format; the Java unit \
                tests; then the Java integration tests, against real brokers, Connect workers and \
                PostgreSQL, beside the Python tests. A failed static check or unit test ends the run \
                before the others. Long tests are skipped.

                With TESTs it runs only these and builds only what they need. A TEST is a Java class, \
                a method (FillIT#shouldGoOnAfterItWasKilled), a Python file, or a test in it \
                (query-api/tests/test_find.py::test_level).
                  TEST...  Tests to run (default: all).
                  --fast  Run only what needs no server: static checks and unit tests of Java and Python.
                  --all  Also run long tests, such as chaos and many kills.
                  --repeat=N  Run N times under a load that keeps two more cores and the disk busy, and \
                print a table of the runs.
                  --no-load  Repeat without that load.
                  -DNAME=VALUE...  Set a system property of the Java tests, such as \
                -Drondo.proof.seed=7.
                  --hypothesis-seed=N  Seed of the Python properties.
                The end reports the time by class and module, skipped tests with their reasons, and for \
                each failure the message, the state of the parts, the seed and the command that repeats \
                it. The last line counts the tests. target/test-report.json has the same for programs, \
                target/junit.xml for build servers, target/test-run the output of each stage, \
                target/repeat that of each repeated run.
                """)
            .add(
                "fmt",
                """
                Formats Java and Python.

                Uses google-java-format and ruff, and applies ruff's fixes.
                """)
            .add(
                "dist",
                """
                Builds a release into dist/.

                The archive rondo-VERSION.tar.gz, which runs without a clone, a compiler or Maven; the \
                Connect plugin; the query API's wheel; the clients' jar and wheel; the Helm chart; a \
                CycloneDX file of each that has libraries; and SHA256SUMS. Equal sources give equal \
                bytes.
                  --images[=ARCH]...  Also build OCI images of the parts, for amd64 or arm64 (default: \
                this machine's), without a Docker daemon. May be given twice. Requires Debian's \
                apt-get and dpkg-deb, and a Python 3.11.
                  --check  Build the commit twice, in two folders, and compare the files bit by bit; \
                with --images also the images.
                Requires: GNU tar, gzip. docs/how-to/deploy.md describes how to run what was built.
                """)
            .add(
                "verify",
                """
                Compares the stored slots of a generated load with the expected values.

                Computes the value of every slot of every archive from the plan of ./rondo loadgen, with \
                separate arithmetic, and compares it with the tables, and for some series with /render.

                With --whisper, computes the values from the Whisper files of a Graphite, as after \
                ./rondo backfill whisper.
                  --plan=FILE...  Plan (default: the newest in DIR/loadgen).
                  --policies=FILE  Policies (default: those of the Rondo in DIR).
                  --versions=FILE  Policies that changed during the load: a JSON array of objects with \
                policies (the text of a policies file), from_ms and until_ms.
                  --sources=FILE  Sources, for the policies that they assign to series (default: those \
                of the Rondo in DIR).
                  --postgres=URL  Database, postgresql://USER[:PASSWORD]@HOST:PORT/DATABASE, only read \
                (default: that of the Rondo in DIR).
                  --api=URL  Query API (default: that of the Rondo in DIR if --postgres is not given; \
                without one /render is not compared).
                  --token-file=FILE  File of the query API's token (default: that of the Rondo in DIR \
                if --api is not given).
                  --dir=DIR  Data folder of ./rondo up (default: .rondo in the clone).
                  --wait=SECONDS  Repeat until everything is as expected, for at most SECONDS: the last \
                rows take some seconds to arrive (default: 0).
                  --new-series-limited  Accept that the limit of new series has dropped points: a series \
                that is not stored, or starts after its first points, is no difference.
                  --sample=N  Series to compare with /render, chosen by the plan's seed; with \
                --whisper, files to compare, chosen at random, 0 = all (default: 20).
                  --show=N  Differences of each kind to list (default: 10).
                  --json  Print one JSON object, for programs.
                  --whisper=DIR  Carbon's storage folder. The other options are those of ./rondo \
                backfill whisper.
                  --until=TIME  With --whisper: do not compare slots that end after this time, which \
                live points may have changed (default: compare all).
                  equal         known on both sides, and equal to 9 digits
                  open          not final: unknown, the value that silence will close it with, or an \
                earlier one
                  overwritten   the table has a newer slot in this row: not compared
                  border        crosses a border of versions that do not promise it a value: not compared
                  wrong         known on both sides, and not equal
                  missing       should be known, and is not
                  extra         should be unknown, and is not

                Points that the rules drop (late, duplicate-time, too-many-series) are counted, but are \
                no difference; a series is beyond the limit when its partition has its share of \
                max.series. Not compared: dead letters, and series of other plans. Slots of points that \
                a killed generator may not have sent are open. Plans of the same series (loadgen --run) \
                belong together: pass all of them.

                Exit code 0 if nothing differs, 1 if something does, 2 on wrong usage or if something \
                cannot be reached.
                """)
            .commands;
    all.get("verify")
        .getCommandSpec()
        .usageMessage()
        .customSynopsis( // two programs: with --whisper it is VerifyWhisperCommand
            "./rondo verify [--plan=FILE]... [--policies=FILE | --versions=FILE] [OPTIONS]",
            "       ./rondo verify --whisper=DIR [OPTIONS]");
    return all;
  }

  /**
   * Returns the commands of {@code ./rondo bench} that use the environment of the Python tests, by
   * name.
   */
  static Map<String, CommandLine> ofBench() {
    return new ScriptCommands()
        .add(
            "query",
            """
            Measures the response times of /render and /metrics/find, beside graphite-web.

            A graphite-web 1.1.10 has Whisper files with the same values and is queried in turn. The \
            first run installs it into target.
              --runs=N  Runs of each query, fewer for expensive ones (default: 200).
              --names=N  Additional series without values in the index (default: 500000).
              --only=TEXT  Only queries with this text in their name.
              --alone  Without graphite-web.
              --moved  Instead, measure the CPU of a response if other series have moved, if the \
            queried ones have, and in a copy where none has (the noise), each relative to no moves.
              --json  Print JSON, for programs.
            """)
        .add(
            "find",
            """
            Measures the cost of finding names and tags over HTTP.

            Searches half a million names, and measures when a new series is found.
              --machines=N  Machines, each with 100 names (default: 5000).
              --tagged=N  Additional tagged series (default: 100000).
              --runs=N  Runs of each query (default: 200).
              --json  Print JSON, for programs.
            """)
        .add(
            "whisper",
            """
            Measures ./rondo backfill whisper.

            Uses full Whisper files of 10s:6h, 1m:7d and 1h:1y.
              --files=N  Number of files, 252 kB each (default: 3000).
              --rate=N  Live points per second of other series (default: 0).
              --json  Print JSON, for programs.
            """)
        .add(
            "abuse",
            """
            Measures a plain dashboard beside clients that send the worst allowed requests.

            Eight clients send them to the query API without pause; a ninth requests the dashboard.
              --seconds=N  Duration of the measurement (default: 120).
              --names=N  Series without values in the index (default: 500000).
              --connections=N  Connections held open, of each kind and address (default: 30).
              --seed=N  Seed of the requests and their order (default: 1).
              --json  Print JSON, for programs.
            Exit code 1 if the dashboard's p99 is a second or more, or if a process was killed.
            """)
        .add(
            "client",
            """
            Measures an update of the Python client, and the memory that updates retain.

            ./rondo bench points ClientBenchmark measures the Java client.
              --updates=N  Updates per round (default: 200000).
              --rounds=N  Rounds of each update; the fastest counts (default: 10).
              --json  Print JSON, for programs.
            """)
        .commands;
  }

  private ScriptCommands add(String name, String help) {
    CommandSpec spec = CommandSpec.create().name(name);
    List<String> before = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (String line : help.lines().toList()) {
      Matcher argument = ARGUMENT.matcher(line);
      if (argument.matches()) {
        addArgument(spec, argument);
      } else {
        (spec.args().isEmpty() ? before : after).add(line);
      }
    }
    spec.usageMessage()
        .description(before.toArray(String[]::new))
        .footer(after.toArray(String[]::new));
    commands.put(name, CommandLines.of(spec));
    return this;
  }

  private static void addArgument(CommandSpec spec, Matcher argument) {
    String name = argument.group("name");
    String label = argument.group("label");
    Class<?> type =
        argument.group("more") != null
            ? String[].class
            : label == null ? boolean.class : String.class;
    if (!name.startsWith("-")) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .type(type)
              .arity("0..*")
              .paramLabel(name)
              .description(argument.group("text"))
              .build());
    } else {
      String[] words = (name + (label == null ? "" : label)).split("\\[?=", 2);
      spec.addOption(
          OptionSpec.builder(words[0])
              .type(type)
              .arity(label == null ? "0" : label.startsWith("[") ? "0..1" : "1")
              .paramLabel(words[words.length - 1].replace("]", ""))
              .description(argument.group("text"))
              .build());
    }
  }
}
