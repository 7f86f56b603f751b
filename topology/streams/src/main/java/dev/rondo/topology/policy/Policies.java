package dev.rondo.topology.policy;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.settings.SettingException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The policies in the order of the file. The first that matches a series applies. */
public record Policies(List<Policy> inOrder) {
  /** Policies that apply without a file. */
  public static final String DEFAULT_YAML =
      """
      policies:
        - name: increments
          match: '.*'
          tags: {temporality: delta}
          step: 10s
          finest: sum
          archives: ["10s:6h", "1m:7d", "1h:1y"]
        - name: default
          match: '.*'
          step: 10s
          heartbeat: 2m
          archives: ["10s:6h", "1m:7d", "1h:1y"]
      """;

  public Policies {
    inOrder = List.copyOf(inOrder);
  }

  /**
   * Returns the first policy that matches the series; empty if none does, or if its name is too
   * long.
   */
  public Optional<Policy> of(Ident ident) {
    return first(ident, policy -> true);
  }

  /**
   * Returns the first of some policies that matches the series. Empty if a name is too long: for a
   * repeated group with alternatives java.util.regex recurses for each character until the stack
   * overflows.
   */
  private Optional<Policy> first(Ident ident, Predicate<Policy> some) {
    try {
      return inOrder.stream().filter(some).filter(policy -> policy.covers(ident)).findFirst();
    } catch (StackOverflowError e) {
      return Optional.empty();
    }
  }

  /** Returns the first policy that matches and stores the series; empty if none does. */
  Optional<Policy> storing(Ident ident) {
    return first(ident, policy -> !policy.drops());
  }

  /** Returns the policy that the source of a series names, or else the first that matches. */
  public Optional<Policy> of(String ident, String ofSource) {
    return ofSource.isEmpty() ? of(Ident.parse(ident)) : named(ofSource);
  }

  /** Whether any policy drops its series. */
  public boolean haveDropping() {
    return inOrder.stream().anyMatch(Policy::drops);
  }

  /** Whether the first policy that matches the series drops it. */
  public boolean drop(Ident ident) {
    return of(ident).filter(Policy::drops).isPresent();
  }

  /** Whether both select the same series under the same names. */
  public boolean selectsAs(Policies other) {
    return inOrder.size() == other.inOrder.size()
        && IntStream.range(0, inOrder.size())
            .allMatch(n -> inOrder.get(n).selectsAs(other.inOrder.get(n)));
  }

  /**
   * Checks that each archive is longer than a point may be ahead. Otherwise a sender whose clock is
   * ahead could replace all slots of an archive.
   *
   * @throws SettingException if an archive is too short
   */
  public void requireSpansOver(long maxFutureMs) {
    for (Policy policy : inOrder) {
      for (Archive archive : policy.archives()) {
        ArchiveShape shape = archive.shape();
        if (shape.spanMs() <= maxFutureMs) {
          throw new SettingException(
              "policy '%s': the archive %s:%s keeps no more than max.future.ms = %d (%s), so a sender whose clock is ahead could replace all of it: make it longer (policies[%d].archives), or lower max.future.ms"
                  .formatted(
                      policy.name(),
                      Spans.format(shape.stepMs()),
                      Spans.format(shape.spanMs()),
                      maxFutureMs,
                      Spans.format(maxFutureMs),
                      inOrder.indexOf(policy)));
        }
      }
    }
  }

  /** Returns the policy with this name; empty if there is none or it drops its series. */
  public Optional<Policy> storing(String name) {
    return named(name).filter(policy -> !policy.drops());
  }

  /** Returns the policy with this name; empty if there is none. */
  public Optional<Policy> named(String name) {
    return inOrder.stream().filter(policy -> policy.name().equals(name)).findFirst();
  }
}
