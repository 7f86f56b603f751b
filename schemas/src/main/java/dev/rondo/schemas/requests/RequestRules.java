package dev.rondo.schemas.requests;

import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.Ident;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules that every request must follow. */
public final class RequestRules {
  private RequestRules() {}

  /**
   * Checks a request.
   *
   * @throws IllegalArgumentException with the reason: an invalid ident, an ident in two renamings,
   *     or slots whose time is empty or begins before 1970
   */
  public static void check(SeriesRequest request) {
    if (request.getRequest() instanceof DeleteSeries deletes) {
      deletes.getIdents().forEach(Ident::parse);
    } else if (request.getRequest() instanceof RenameSeries renames) {
      check(renames.getRenames());
    } else if (request.getRequest() instanceof CreateSeries creates) {
      creates.getSeries().forEach(RequestRules::check);
    }
  }

  private static void check(List<Rename> renames) {
    Set<String> idents = new HashSet<>();
    renames.forEach(rename -> idents.add(rename.getIdent()));
    for (Rename rename : renames) {
      Ident.parse(rename.getIdent());
      Ident.parse(rename.getTo());
      if (rename.getIdent().equals(rename.getTo())) {
        throw new IllegalArgumentException("old and new name are the same: " + rename.getIdent());
      }
      if (!idents.add(rename.getTo())) {
        throw new IllegalArgumentException("is in two renamings: " + rename.getTo());
      }
    }
  }

  private static void check(NewSeries series) {
    Ident.parse(series.getIdent());
    new Span(series.getFrom(), series.getUntil()); // throws if it is invalid
  }
}
