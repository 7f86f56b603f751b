package dev.rondo.history.prune;

/**
 * SQL that finds what is out of reach: the slots that are older than their archive reaches back.
 *
 * <pre>
 *   t  ──────────────┬─────────────────┬───────────────────────────┬──►
 *        expired   until  older-than         size · step         clock
 * </pre>
 *
 * The clock is the end of the newest slot of all archives, or now if that is earlier: while Rondo
 * stores nothing, nothing expires.
 */
final class Expired {
  static final String CLOCK = "select least(now(), max(latest))::text from rra_bundle";

  /**
   * The archives. Parameters: clock, older-than. An archive that is not live is retired when it
   * stays that far behind the others of its policy, or behind the clock where no series has its
   * policy.
   */
  private static final String BUNDLE =
      """
      with bounds as (
        select ?::timestamptz as clock, ?::interval as older_than
      ), bundle as (
        select b.id, b.policy, b.cf, b.step_ms, b.size, b.latest, lived_in,
               case when extract(epoch from clock - older_than) * 1000 > kept_ms
                    then clock - older_than - kept_ms::double precision * interval '1 ms' else '-infinity' end as until,
               b.id not in (select id from live_archive)
                 and b.latest + older_than <= case when lived_in then max(b.latest) over (partition by b.policy)
                                                   else clock end as retired
        from rra_bundle as b cross join bounds
        cross join lateral (select b.step_ms::numeric * b.size as kept_ms,
                                   exists (select from ds where ds.policy = b.policy) as lived_in) as derived
      ), period as (
        select s.ds_id, s.number, s.policy, s.seg,
               coalesce(s.displaced_ident is null and s.number < (select period from ds where ds.id = s.ds_id)
                 and (select bool_and(least(s.ends_at + b.step_ms * interval '1 ms', s.reassigned_at, b.latest) <= b.until)
                      from bundle as b where b.policy = s.policy), false) as expired
        from location_period as s
        where s.ends_at < 'infinity'
      )
      """;

  /** Former periods of which every archive of their policy has only expired slots. */
  static final String PERIODS = BUNDLE + "select ds_id, number from period where expired";

  /**
   * Archives with the end of their newest expired slot. In those that are {@code whole} each
   * expired slot may go, in the others only those of segments without series: their rows are in
   * use. An archive is {@code over} if it may go as well, once it has no rows.
   */
  static final String BUNDLES =
      BUNDLE
          + """
          select id, policy, cf, step_ms, size, until::text, latest::text,
                 retired or latest <= until as whole,
                 retired and latest <= until as over
          from bundle where latest is not null
          order by policy, step_ms, cf, size
          """;

  /** The segments of an archive that has rows there. Parameter: archive. */
  static final String SEGMENTS =
      """
      with recursive segment (seg) as (
        (select seg from ts where rra_bundle_id = ? order by seg limit 1)
        union all
        select (select ts.seg from ts where rra_bundle_id = ? and ts.seg > segment.seg order by ts.seg limit 1)
        from segment where seg is not null
      )
      select seg from segment where seg is not null order by seg
      """;

  /**
   * The segments of a policy in which series live or have periods. Parameters: as BUNDLE, policy
   * twice.
   */
  static final String LIVED_IN =
      BUNDLE
          + """
          select distinct seg from ds where policy = ?
          union
          select seg from period where policy = ? and not expired
          """;

  /** Whether a segment has a slot that has not expired. Parameters: archive, segment, until. */
  static final String HAS_MORE =
      "select exists (select from ts where rra_bundle_id = ? and seg = ? and t > ?::timestamptz)";

  /** First and last index of the rows of a segment. Parameters: archive, segment. */
  static final String INDEXES = "select min(i), max(i) from ts where rra_bundle_id = ? and seg = ?";

  private static final String ROWS =
      " from ts where rra_bundle_id = ? and seg = ? and i between ? and ? and t <= ?::timestamptz";

  /** Parameters: archive, segment, first and last index, until. */
  static final String COUNT = "select count(*), coalesce(sum(pg_column_size(ts)), 0)" + ROWS;

  /** As COUNT, and removes the rows. */
  static final String DELETE =
      "with removed as (delete"
          + ROWS
          + " returning pg_column_size(ts) as bytes) select count(*), coalesce(sum(bytes), 0) from removed";

  /** Parameters: series, period. */
  static final String DELETE_STAY =
      "delete from location_period where ds_id = ? and number = ? and ends_at < 'infinity'"
          + " and displaced_ident is null";

  /**
   * Keeps the last archive of a policy in which series have periods: without one they would not be
   * found. Parameters: archive, end of its newest slot when it was found.
   */
  static final String DELETE_BUNDLE =
      """
      delete from rra_bundle as b
      where id = ? and latest = ?::timestamptz
        and not exists (select from ts where rra_bundle_id = b.id)
        and (exists (select from ds where ds.policy = b.policy)
             or exists (select from rra_bundle as other where other.policy = b.policy and other.id <> b.id)
             or not exists (select from location_period as s where s.policy = b.policy and s.displaced_ident is null))
      """;

  private Expired() {}
}
