package dev.rondo.topology.deletion;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.schemas.Ident;
import java.util.Collection;

/** Idents of a request that no point has brought. */
final class NewIdents {
  private NewIdents() {}

  /**
   * Checks that a point can have them.
   *
   * @param naming of a source without rules
   * @throws IllegalArgumentException that tells which one no point has, and why
   */
  static void check(Collection<String> idents, Naming naming) {
    for (String canonical : idents) {
      Ident ident = Ident.parse(canonical);
      Labels labels = new Labels();
      ident.tags().forEach(labels::put);
      String would;
      try {
        would = naming.ident(ident.name(), "", labels);
      } catch (DroppedException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      if (!would.equals(canonical)) {
        throw new IllegalArgumentException(
            "no series can be called '%s': it would be '%s'".formatted(canonical, would));
      }
    }
  }
}
