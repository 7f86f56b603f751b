package dev.rondo.local.settings;

/** PostgreSQL user of each part; the owner of the tables runs the migrations. */
public record PostgresUsers(String sink, String api, String fill) {
  /** The roles on a started server. */
  public static final PostgresUsers OF_STARTED =
      new PostgresUsers(Plan.SINK_USER, Plan.API_USER, Plan.FILL_USER);

  /** Replaces null by the owner. */
  public static PostgresUsers of(String owner, String sink, String api, String fill) {
    return new PostgresUsers(
        sink == null ? owner : sink, api == null ? owner : api, fill == null ? owner : fill);
  }
}
