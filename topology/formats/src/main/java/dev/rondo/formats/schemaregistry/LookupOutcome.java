package dev.rondo.formats.schemaregistry;

/** How a lookup of a schema in a registry ended. */
public enum LookupOutcome {
  /** The registry has answered with the schema. */
  FOUND("found"),
  /** The registry has no such schema. */
  NOT_FOUND("not-found"),
  /** The registry did not answer, or not with a schema. */
  FAILED("failed"),
  /** The registry was not asked: too many lookups wait for it already. */
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
