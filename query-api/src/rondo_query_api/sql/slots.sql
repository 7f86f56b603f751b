-- Slots of many series, from all archives that a request reads: a row for each read, range of i and up to four series that
-- lie in one segment: which series, their valid_from (epoch s), the i of the slots that there are, int4 after int4, and their values,
-- slot after slot a float8 for each series; null where there are no slots. As bytes both cost a quarter less than as arrays. A point
-- is sent as two float8 and an lseg as four, in one call; for three series the fourth is NaN.
-- A series that no longer exists, or no longer has the policy that its read was planned for, is in no row.
-- A read is of one archive: slots that end after start and at or before final, in one range of i (low to high) or two.
-- Rows are read from ts by their key and not through tv, which would read a row for each of its series (docs/decisions/0016).
with place as (
  select read, id, seg, pos, valid_from, (row_number() over (partition by read, seg order by pos) - 1) / 4 as part
  from unnest(%(series)s::bigint[], %(series_reads)s::integer[]) as wanted (id, read)
  join ds using (id)
  where ds.policy = (%(policies)s::text[])[read + 1]
),
segment as materialized (
  select read, seg, ids, valid_from, at[1] as a, at[2] as b, at[3] as c, at[4] as d
  from (
    select read,
           seg,
           array_agg(id order by pos) as ids,
           array_agg(extract(epoch from valid_from)::double precision order by pos) as valid_from,
           array_agg(pos order by pos) as at
    from place
    group by read, seg, part
  ) as parts
)
select read, ids, valid_from, slots.*
from segment
join unnest(
  %(reads)s::integer[], %(archives)s::integer[], %(low)s::integer[], %(high)s::integer[],
  %(start)s::timestamptz[], %(final)s::timestamptz[]
) as span (read, archive, low, high, start, final) using (read)
cross join lateral (
  select string_agg(int4send(i), null),
         string_agg(
           case
             when b is null then float8send(coalesce(dp[a], 'NaN'))
             when c is null then point_send(point(coalesce(dp[a], 'NaN'), coalesce(dp[b], 'NaN')))
             else lseg_send(lseg(
               point(coalesce(dp[a], 'NaN'), coalesce(dp[b], 'NaN')), point(coalesce(dp[c], 'NaN'), coalesce(dp[d], 'NaN'))
             ))
           end,
           null
         )
  from ts
  where rra_bundle_id = span.archive
    and ts.seg = segment.seg
    and i between span.low and span.high
    and t > span.start
    and t <= span.final
) as slots (places, slot_values)
