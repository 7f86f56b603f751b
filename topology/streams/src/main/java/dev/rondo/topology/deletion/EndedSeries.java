package dev.rondo.topology.deletion;

import java.util.Collection;
import java.util.List;

/** The series that a request ends: those that it deletes, or renames. */
public final class EndedSeries {
  private EndedSeries() {}

  /**
   * Their canonical idents.
   *
   * @param json value of a record of {@code rondo.deletions}; none if it is not readable
   */
  public static Collection<String> of(String json) {
    try {
      if (RenameRequest.isOne(json)) {
        return RenameRequest.parse(json).renames().keySet();
      }
      return CreateRequest.isOne(json) ? List.of() : DeletionRequest.parse(json).series();
    } catch (IllegalArgumentException e) { // the topology ignores it, too
      return List.of();
    }
  }
}
