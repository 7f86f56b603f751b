package dev.rondo.tools.deadletters;

import java.util.OptionalLong;
import java.util.Set;

/**
 * Which letters are meant.
 *
 * @param reasons keys; empty = any
 * @param topics that their records were in; empty = any
 * @param fromMs written to {@code rondo.dead-letters} at this time or later, epoch ms; empty = any
 */
record DeadLetterFilter(Set<String> reasons, Set<String> topics, OptionalLong fromMs) {
  boolean matches(DeadLetter letter) {
    return (reasons.isEmpty() || reasons.contains(letter.reason()))
        && (topics.isEmpty() || topics.contains(letter.source().topic()))
        && letter.timeMs() >= fromMs.orElse(Long.MIN_VALUE);
  }
}
