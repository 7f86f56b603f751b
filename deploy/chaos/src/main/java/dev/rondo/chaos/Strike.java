package dev.rondo.chaos;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Parts that are killed at the same moment.
 *
 * @param pauseMs between all being ready and the kill
 */
record Strike(long pauseMs, List<Part> parts) {
  /** Such as {@code broker and connect}. */
  String text() {
    return parts.stream().map(Part::label).collect(Collectors.joining(" and "));
  }
}
