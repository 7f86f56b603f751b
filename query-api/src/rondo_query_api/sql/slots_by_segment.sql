-- The rows of sql/slots.sql, from the relation place.
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
