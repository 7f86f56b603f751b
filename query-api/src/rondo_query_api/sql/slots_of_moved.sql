-- Like sql/slots.sql, also for series that have moved: a read is of their location before the last "moves_ago" moves.
with location as (
  select read, n, seg, pos, starts_at, (row_number() over (partition by read, seg order by pos) - 1) / 16 as part
  from (
    select read, n, period.seg, period.pos, period.starts_at
    from unnest(%(series)s::bigint[], %(idents)s::bigint[], %(series_reads)s::integer[]) with ordinality as wanted (id, ident_hash, read, n)
    join ds using (id)
    join location_period as period on period.ds_id = id and period.number = ds.period - (%(moves_ago)s::integer[])[read + 1]
    where {ident_hash} = ident_hash
      and period.policy = (%(policies)s::text[])[read + 1]
      and ds.period = (%(moves)s::integer[])[read + 1]
  ) as at_period
),
{slots_by_segment}