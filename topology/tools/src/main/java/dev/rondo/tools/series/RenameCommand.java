package dev.rondo.tools.series;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.requests.RequestRules;
import dev.rondo.tools.command.Author;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.Confirmation;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.series.KnownSeries.Series;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.requests.NewIdents;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renames series of a running topology. */
@Command(
    name = "rename",
    // generated, OLD NEW would seem to go with --file
    customSynopsis = {
      "./rondo series rename OLD NEW [OPTIONS]",
      "       ./rondo series rename --file=FILE [OPTIONS]"
    },
    description = {
      "Renames series while the topology runs.",
      "",
      "NEW shows the points of OLD, and its own from its first one on. OLD is no longer found. "
          + "Points that are sent as OLD afterwards create a new series."
    },
    footer = {
      "OLD and NEW are idents, or patterns of untagged names with the same wildcards: * is any "
          + "text within a node, a node ** any number of nodes.",
      "  ./rondo series rename 'servers.web1.**' 'servers.front1.**'",
      "",
      "Exit code 0 on success, 1 when series were not renamed or the command failed, 2 on wrong "
          + "usage."
    })
final class RenameCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 5;

  @Parameters(
      arity = "0..2",
      paramLabel = "OLD NEW",
      hideParamSyntax = true,
      description = "Ident of the series, and its new one.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "Rename many series: each line of FILE is 'OLD NEW', idents, with a tab between them "
              + "if they contain spaces. - is standard input.")
  private String file;

  @Option(names = "--dry-run", description = "Show the series, and rename nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    if (names.size() != (file == null ? 2 : 0)) {
      throw CommandException.misuse("expected: OLD NEW, or --file");
    }
    if ("-".equals(file) && !yes && !dryRun) {
      throw CommandException.misuse("--file=- needs --yes: the answer cannot be read, too");
    }
    Map<String, String> pairs = file == null ? Map.of() : pairs(lines());
    NameMapping mapping = file == null ? NameMapping.of(names.get(0), names.get(1)) : null;
    TopologyConfig config = settings.connect();
    Map<String, Series> known =
        KnownSeries.read(
            config,
            ident -> mapping == null ? pairs.containsKey(ident) : mapping.apply(ident).isPresent());
    Map<String, String> renames = new LinkedHashMap<>();
    known
        .keySet()
        .forEach(
            old ->
                renames.put(
                    old, mapping == null ? pairs.get(old) : mapping.apply(old).orElseThrow()));
    if (renames.isEmpty()) {
      throw CommandException.refused(
          "nothing was renamed: no series " + (file == null ? names.get(0) : "of " + file));
    }
    check(renames, config.naming());
    System.out.println(KnownSeries.number(renames.size()) + " series:");
    renames.entrySet().stream()
        .limit(MOST_SHOWN)
        .forEach(rename -> System.out.println("  " + rename.getKey() + " -> " + rename.getValue()));
    if (renames.size() > MOST_SHOWN) {
      System.out.println("  ...");
    }
    if (pairs.size() > renames.size()) {
      Map<String, String> unknown = new HashMap<>(pairs);
      unknown.keySet().removeAll(renames.keySet());
      System.out.println("not known, skipped: " + KnownSeries.named(unknown.keySet()));
    }
    printState(config, renames, known);
    if (dryRun) {
      System.out.println("nothing was renamed (--dry-run)");
      return ExitCode.OK;
    }
    if (!yes) {
      Confirmation.ask("rename them? (yes) ", "nothing was renamed");
    }
    return rename(config, renames);
  }

  private static void check(Map<String, String> renames, Naming naming) {
    try {
      List<Rename> all =
          renames.entrySet().stream()
              .map(rename -> new Rename(rename.getKey(), rename.getValue()))
              .toList();
      SeriesRequest request = new SeriesRequest("", 0L, new RenameSeries(all));
      RequestRules.check(request);
      NewIdents.check(request, naming);
    } catch (IllegalArgumentException e) {
      throw CommandException.misuse(e.getMessage());
    }
  }

  /** Tells which new series have no points, and which have hidden those of the old ones. */
  private static void printState(
      TopologyConfig config, Map<String, String> renames, Map<String, Series> known)
      throws InterruptedException {
    Map<String, Series> sending =
        KnownSeries.read(config, new HashSet<>(renames.values())::contains);
    List<String> silent = new ArrayList<>();
    List<String> earlier = new ArrayList<>();
    renames.forEach(
        (old, to) -> {
          if (!sending.containsKey(to)) {
            silent.add(to);
          } else if (sending.get(to).firstMs() <= known.get(old).firstMs()) {
            earlier.add(to);
          }
        });
    print(silent, "not sent yet (cannot be deleted before a first point)");
    print(earlier, "older than the old series (whose points are lost)");
  }

  private static void print(List<String> names, String what) {
    if (!names.isEmpty()) {
      System.out.printf(
          "%s %s: %s%n", KnownSeries.number(names.size()), what, KnownSeries.named(names));
    }
  }

  private List<String> lines() throws IOException {
    if (file.equals("-")) {
      return new String(System.in.readAllBytes(), Charset.defaultCharset()).lines().toList();
    }
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw CommandException.misuse("no such file: " + file);
    } catch (IOException e) {
      throw CommandException.misuse("cannot read %s: %s".formatted(file, e.getMessage()));
    }
  }

  private Map<String, String> pairs(List<String> lines) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int n = 0; n < lines.size(); n++) {
      String line = lines.get(n).strip();
      if (line.isEmpty()) {
        continue;
      }
      String[] pair = line.split(line.indexOf('\t') < 0 ? " +" : "\t+", -1);
      if (pair.length != 2) {
        throw CommandException.misuse(
            "%s, line %d: expected OLD NEW, not '%s'".formatted(file, n + 1, line));
      }
      if (pairs.put(pair[0], pair[1]) != null) {
        throw CommandException.misuse("%s, line %d: again %s".formatted(file, n + 1, pair[0]));
      }
    }
    return pairs;
  }

  private int rename(TopologyConfig config, Map<String, String> renames)
      throws ExecutionException, InterruptedException {
    String what = file == null ? String.join(" ", names) : "--file=" + file;
    long begunNs = System.nanoTime();
    Set<String> left =
        new Requests(config, Requests.PATIENCE)
            .rename(renames, Author.name() + ": series rename " + what);
    return Requests.report(
        "renamed",
        renames.size(),
        left,
        begunNs,
        "does the topology run? It renames them when it does");
  }
}
