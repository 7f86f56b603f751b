package dev.rondo.tools.deadletters.read;

import java.util.OptionalLong;
import java.util.Set;

/**
 * Selects dead letters.
 *
 * @param reasons keys; empty = any
 * @param topics of the original records; empty = any
 * @param fromMs written to {@code rondo.dead-letters} at this time or later, epoch ms; empty = any
 */
public record DeadLetterFilter(Set<String> reasons, Set<String> topics, OptionalLong fromMs) {
  public boolean matches(DeadLetter deadLetter) {
    return (reasons.isEmpty() || reasons.contains(deadLetter.reason()))
        && (topics.isEmpty() || topics.contains(deadLetter.source().topic()))
        && deadLetter.timeMs() >= fromMs.orElse(Long.MIN_VALUE);
  }
}
