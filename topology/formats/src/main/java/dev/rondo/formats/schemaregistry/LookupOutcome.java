package dev.rondo.formats.schemaregistry;

/** Outcome of a lookup in a schema registry. */
public enum LookupOutcome {
  /** The registry returned the schema. */
  FOUND("found"),
  /** The registry has no such schema. */
  NOT_FOUND("not-found"),
  /** The registry did not return a usable response. */
  FAILED("failed"),
  /** No request was sent: too many lookups are running. */
  REFUSED("refused");

  private final String key;

  LookupOutcome(String key) {
    this.key = key;
  }

  /** Name in metrics. */
  public String key() {
    return key;
  }
}
