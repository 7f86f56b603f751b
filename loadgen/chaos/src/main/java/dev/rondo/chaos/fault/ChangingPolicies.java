package dev.rondo.chaos.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Policies that change in a seeded order, each kind of change once before any is repeated. The last
 * policy covers all series, so no point is without a policy. All versions have the weighted mean of
 * 10 s and of a minute.
 */
final class ChangingPolicies {
  private static final int FINE_S = 5;
  private static final int COARSE_S = 10;
  private static final List<String> HALVES = List.of("[0-4]$", "[3-7]$", "[02468]$");
  private static final List<Double> XFFS = List.of(0.2, 0.5, 0.8);
  private static final List<Kept> ALWAYS =
      List.of(new Kept("wmean", 10, 2, 0.5), new Kept("wmean", 60, 24, 0.5));
  private static final Kept FINEST = new Kept("wmean", FINE_S, 1, 0.5);

  /** Archives that are added and removed. */
  private static final List<Kept> MORE =
      List.of(
          new Kept("max", 10, 2, 0.5),
          new Kept("min", 10, 2, 0.5),
          new Kept("wmean", 30, 6, 0.5),
          new Kept("last", 30, 6, 0.5),
          new Kept("sum", 60, 24, 0.5));

  private final Random random;
  private final List<Change> pending = new ArrayList<>();
  private final List<List<Rule>> versions = new ArrayList<>();
  private Change newest;

  ChangingPolicies(long seed) {
    random = new Random(seed);
    List<Kept> archives = new ArrayList<>(List.of(FINEST, MORE.get(0)));
    archives.addAll(ALWAYS);
    versions.add(List.of(new Rule("load", ".*", false, FINE_S, 20, 0, archives)));
  }

  /** An archive. */
  private record Kept(String function, int stepS, int hours, double xff) {
    boolean isAlike(Kept other) {
      return function.equals(other.function) && stepS == other.stepS;
    }

    String yaml() {
      return "\"%s:%ds:%dh:%s\"".formatted(function, stepS, hours, xff);
    }
  }

  /**
   * A policy.
   *
   * @param isTagged whether it covers only series with a tag that none has
   */
  private record Rule(
      String name,
      String match,
      boolean isTagged,
      int stepS,
      int heartbeatS,
      int reorderS,
      List<Kept> archives) {
    Rule named(String other) {
      return new Rule(other, match, isTagged, stepS, heartbeatS, reorderS, archives);
    }

    Rule matching(String other) {
      return new Rule(name, other, isTagged, stepS, heartbeatS, reorderS, archives);
    }

    Rule tagged(boolean is) {
      return new Rule(name, match, is, stepS, heartbeatS, reorderS, archives);
    }

    Rule with(List<Kept> others) {
      return new Rule(name, match, isTagged, stepS, heartbeatS, reorderS, others);
    }

    Rule stepping(int otherS, List<Kept> others) {
      return new Rule(name, match, isTagged, otherS, heartbeatS, reorderS, others);
    }

    Rule waiting(int otherHeartbeatS, int otherReorderS) {
      return new Rule(name, match, isTagged, stepS, otherHeartbeatS, otherReorderS, archives);
    }

    String yaml() {
      return """
        - name: %s
          match: '%s'
          tags: {%s}
          step: %ds
          heartbeat: %ds
          reorder: %ds
          archives: [%s]
      """
          .formatted(
              name,
              match,
              isTagged ? "of: no-series" : "",
              stepS,
              heartbeatS,
              reorderS,
              archives.stream().map(Kept::yaml).collect(Collectors.joining(", ")));
    }
  }

  /** Kinds of changes. */
  enum Change {
    ADD_ARCHIVE,
    REMOVE_ARCHIVE,
    RESIZE,
    XFF,
    STEP,
    HEARTBEAT,
    REORDER,
    RENAME,
    DIVIDE,
    UNITE,
    MATCH,
    TAGS,
    ROLL_BACK
  }

  /** Makes the first of the pending changes that is one in these policies. */
  Change change() {
    if (pending.isEmpty()) {
      pending.addAll(List.of(Change.values()));
      Collections.shuffle(pending, random);
    }
    for (Change next : List.copyOf(pending)) {
      Optional<List<Rule>> changed = changed(next).filter(rules -> !rules.equals(now()));
      if (changed.isPresent()) {
        pending.remove(next);
        versions.add(changed.get());
        newest = next;
        return next;
      }
    }
    pending.clear(); // only some that need a divided policy are left
    return change();
  }

  /** The policies file of the newest version. */
  String yaml() {
    String title = newest == null ? "" : "# " + newest + "\n";
    return title + "policies:\n" + now().stream().map(Rule::yaml).collect(Collectors.joining());
  }

  private List<Rule> now() {
    return versions.get(versions.size() - 1);
  }

  private Optional<List<Rule>> changed(Change change) {
    boolean isDivided = now().size() > 1;
    return switch (change) {
      case ADD_ARCHIVE -> archives(this::added);
      case REMOVE_ARCHIVE -> archives(this::removed);
      case RESIZE ->
          archives(
              all -> replaced(all, one -> new Kept(one.function, one.stepS, hours(one), one.xff)));
      case XFF ->
          archives(
              all -> replaced(all, one -> new Kept(one.function, one.stepS, one.hours, xff(one))));
      case STEP -> any(this::stepped);
      case HEARTBEAT -> any(rule -> rule.waiting(rule.heartbeatS == 20 ? 40 : 20, rule.reorderS));
      case REORDER -> any(rule -> rule.waiting(rule.heartbeatS, rule.reorderS == 0 ? 3 : 0));
      case RENAME -> any(rule -> rule.named("renamed-" + versions.size()));
      case DIVIDE ->
          isDivided
              ? Optional.empty()
              : Optional.of(
                  List.of(
                      now().get(0).named("divided-" + versions.size()).matching(HALVES.get(0)),
                      now().get(0)));
      case UNITE -> isDivided ? Optional.of(List.of(now().get(1))) : Optional.empty();
      case MATCH -> first(rule -> rule.matching(any(HALVES, rule.match)));
      case TAGS -> first(rule -> rule.tagged(!rule.isTagged));
      case ROLL_BACK ->
          versions.size() < 2 ? Optional.empty() : Optional.of(versions.get(versions.size() - 2));
    };
  }

  private Optional<List<Rule>> archives(UnaryOperator<List<Kept>> change) {
    return any(rule -> rule.with(change.apply(rule.archives)));
  }

  private Optional<List<Rule>> any(UnaryOperator<Rule> change) {
    return at(random.nextInt(now().size()), change);
  }

  /** Changes the first of two policies. */
  private Optional<List<Rule>> first(UnaryOperator<Rule> change) {
    return now().size() < 2 ? Optional.empty() : at(0, change);
  }

  private Optional<List<Rule>> at(int index, UnaryOperator<Rule> change) {
    List<Rule> rules = new ArrayList<>(now());
    rules.set(index, change.apply(rules.get(index)));
    return Optional.of(List.copyOf(rules));
  }

  private List<Kept> added(List<Kept> all) {
    List<Kept> absent =
        MORE.stream().filter(more -> all.stream().noneMatch(more::isAlike)).toList();
    return absent.isEmpty() ? all : with(all, absent.get(random.nextInt(absent.size())));
  }

  private List<Kept> removed(List<Kept> all) {
    List<Kept> present = all.stream().filter(one -> MORE.stream().anyMatch(one::isAlike)).toList();
    if (present.isEmpty()) {
      return all;
    }
    Kept leaving = present.get(random.nextInt(present.size()));
    return all.stream().filter(one -> !one.equals(leaving)).toList();
  }

  private List<Kept> replaced(List<Kept> all, UnaryOperator<Kept> change) {
    List<Kept> next = new ArrayList<>(all);
    int index = random.nextInt(all.size());
    next.set(index, change.apply(all.get(index)));
    return next;
  }

  private int hours(Kept one) {
    return one.hours > 1 && random.nextBoolean() ? one.hours - 1 : one.hours + 1;
  }

  private double xff(Kept one) {
    return any(XFFS, one.xff);
  }

  private Rule stepped(Rule rule) {
    return rule.stepS == FINE_S
        ? rule.stepping(
            COARSE_S, rule.archives.stream().filter(one -> one.stepS % COARSE_S == 0).toList())
        : rule.stepping(FINE_S, with(rule.archives, FINEST));
  }

  private static List<Kept> with(List<Kept> all, Kept more) {
    List<Kept> next = new ArrayList<>(all);
    next.add(more);
    return next;
  }

  private <T> T any(List<T> all, T except) {
    List<T> others = all.stream().filter(one -> !Objects.equals(one, except)).toList();
    return others.get(random.nextInt(others.size()));
  }
}
