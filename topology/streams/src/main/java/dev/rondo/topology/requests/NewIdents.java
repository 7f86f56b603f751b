package dev.rondo.topology.requests;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.Ident;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;

/** Validates the new idents of a request. */
public final class NewIdents {
  private NewIdents() {}

  /**
   * Checks that points can have the new idents.
   *
   * @param naming naming of a source without rules
   * @throws IllegalArgumentException naming the first ident that no point can have, and why
   */
  public static void check(SeriesRequest request, Naming naming) {
    if (request.getRequest() instanceof RenameSeries renames) {
      for (Rename rename : renames.getRenames()) {
        check(rename.getTo(), naming);
      }
    } else if (request.getRequest() instanceof CreateSeries creates) {
      for (NewSeries series : creates.getSeries()) {
        check(series.getIdent(), naming);
      }
    }
  }

  /**
   * Checks that points can have an ident.
   *
   * @param naming naming of a source without rules
   * @throws IllegalArgumentException saying why no point can have it
   */
  public static void check(String canonical, Naming naming) {
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
