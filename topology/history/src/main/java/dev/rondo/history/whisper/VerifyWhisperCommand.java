package dev.rondo.history.whisper;

import dev.rondo.history.locations.Locations;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.WriteMode;
import dev.rondo.tools.command.Author;
import dev.rondo.tools.series.Deletions;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares what PostgreSQL shows with Whisper files, by the rules of their import. */
@Command(
    name = "verify",
    description = {
      "Compares what is stored with the Whisper files that were imported.",
      "",
      "Computes from the Whisper files of a Graphite what ./rondo backfill whisper must have stored,"
          + " and compares it with the tables."
    },
    footer = {
      "Exit code 0 when nothing differs, 1 when something does, 2 on wrong usage or when something "
          + "cannot be reached."
    })
public final class VerifyWhisperCommand implements Callable<Integer> {
  private static final int MAX_SLOTS = 1 << 20;

  @Option(
      names = "--whisper",
      paramLabel = "DIR",
      required = true,
      description = "Carbon's storage folder.")
  private Path dir;

  @Option(
      names = "--sample",
      paramLabel = "N",
      defaultValue = "20",
      description = "Files to compare, chosen at random; 0 = all (default: ${DEFAULT-VALUE}).")
  private int sample;

  @Option(
      names = "--show",
      paramLabel = "N",
      defaultValue = "10",
      description = "Differences to list (default: ${DEFAULT-VALUE}).")
  private int show;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "Do not compare slots that end after this time, which live points may have changed "
              + "(default: compare all).")
  private String until;

  @Mixin private final WhisperOptions options = new WhisperOptions();

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, SQLException, ExecutionException, InterruptedException {
    long untilMs = WhisperOptions.untilMs(until, clock);
    WhisperTree.check(dir);
    TopologyConfig config = options.config();
    Policies policies = options.policies(config);
    var comparison = new Comparison(show);
    try (ImportReport report = ImportReport.begin(null);
        Deletions deletions = new Deletions(config);
        Connection connection = options.connect()) {
      ImportedFiles named = options.files(config, policies, report);
      List<Imported> sampled =
          sampled(new ArrayList<>(named.of(WhisperTree.files(dir, report)).values()));
      var reader = new WhisperReader(clock);
      var plan =
          new SegmentPlan(
              dir,
              named,
              reader,
              policies,
              new Locations(config, Author.name() + ": verify", Duration.ZERO, deletions),
              WriteMode.FILL,
              clock,
              report);
      SlotSession session = SlotSession.open(connection);
      Map<String, String> idents = new HashMap<>();
      sampled.forEach(one -> idents.put(one.file(), one.ident()));
      Set<String> compared = new HashSet<>();
      for (SegmentFiles segment : plan.of(session, sampled, false)) {
        for (Member member : segment.members()) {
          compared.add(member.file());
          compare(session, segment, member, idents.get(member.file()), reader, untilMs, comparison);
        }
      }
      System.out.printf("%d files, %d series are missing%n", compared.size(), plan.missing());
      comparison.lines().forEach(System.out::println);
      report.lines().forEach(System.out::println);
      return comparison.isClean() && plan.missing() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private List<Imported> sampled(List<Imported> all) {
    Collections.shuffle(all, new Random());
    return sample == 0 ? all : all.subList(0, Math.min(sample, all.size()));
  }

  private void compare(
      SlotSession session,
      SegmentFiles segment,
      Member member,
      String ident,
      WhisperReader reader,
      long untilMs,
      Comparison comparison)
      throws SQLException, InterruptedException {
    long nowMs = clock.millis();
    int pos = member.location().pos();
    Collection<List<Window>> groups =
        Window.groups(segment.policy(), nowMs, Math.min(nowMs, untilMs), pos, MAX_SLOTS);
    for (List<Window> windows : groups) {
      WhisperFile file;
      try {
        file = reader.read(dir.resolve(member.file()));
      } catch (UnreadableFileException e) {
        return; // its header could be read before: it was removed, or is being written
      }
      for (Window window : windows) {
        window.add(file, member);
        session.transaction(
            connection -> {
              comparison.of(connection, ident, pos, window.slots(segment.seg()));
              return null;
            });
      }
    }
  }
}
