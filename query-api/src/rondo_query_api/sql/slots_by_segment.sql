-- The rows of sql/slots.sql, from the relation location. An archive that does not exist has no slots.
segment as materialized (
  select read, seg, series, starts_at,
         at[1] as p1, at[2] as p2, at[3] as p3, at[4] as p4, at[5] as p5, at[6] as p6, at[7] as p7, at[8] as p8,
         at[9] as p9, at[10] as p10, at[11] as p11, at[12] as p12, at[13] as p13, at[14] as p14, at[15] as p15, at[16] as p16
  from (
    select read,
           seg,
           array_agg(n order by pos) as series,
           array_agg(extract(epoch from starts_at)::double precision order by pos) as starts_at,
           array_agg(pos order by pos) as at
    from location
    group by read, seg, part
  ) as parts
),
span as materialized (
  select read, bundle.id as archive, low, high, start, final
  from unnest(
    %(reads)s::integer[], %(low)s::integer[], %(high)s::integer[], %(start)s::timestamptz[], %(final)s::timestamptz[]
  ) as wanted (read, low, high, start, final)
  left join rra_bundle as bundle
    on bundle.policy = (%(policies)s::text[])[read + 1] and bundle.cf = (%(functions)s::text[])[read + 1]
   and bundle.step_ms = (%(steps)s::bigint[])[read + 1] * 1000 and bundle.size = (%(sizes)s::integer[])[read + 1]
)
select read, series, starts_at, slots.*
from segment
join span using (read)
cross join lateral (
  select string_agg(int4send(i), null),
         string_agg(
           case
             when p2 is null then float8send(coalesce(dp[p1], 'NaN'))
             when p3 is null then point_send(point(coalesce(dp[p1], 'NaN'), coalesce(dp[p2], 'NaN')))
             when p5 is null then
               lseg_send(lseg(point(coalesce(dp[p1], 'NaN'), coalesce(dp[p2], 'NaN')), point(coalesce(dp[p3], 'NaN'), coalesce(dp[p4], 'NaN'))))
             when p9 is null then
               lseg_send(lseg(point(coalesce(dp[p1], 'NaN'), coalesce(dp[p2], 'NaN')), point(coalesce(dp[p3], 'NaN'), coalesce(dp[p4], 'NaN'))))
               || lseg_send(lseg(point(coalesce(dp[p5], 'NaN'), coalesce(dp[p6], 'NaN')), point(coalesce(dp[p7], 'NaN'), coalesce(dp[p8], 'NaN'))))
             else
               lseg_send(lseg(point(coalesce(dp[p1], 'NaN'), coalesce(dp[p2], 'NaN')), point(coalesce(dp[p3], 'NaN'), coalesce(dp[p4], 'NaN'))))
               || lseg_send(lseg(point(coalesce(dp[p5], 'NaN'), coalesce(dp[p6], 'NaN')), point(coalesce(dp[p7], 'NaN'), coalesce(dp[p8], 'NaN'))))
               || lseg_send(lseg(point(coalesce(dp[p9], 'NaN'), coalesce(dp[p10], 'NaN')), point(coalesce(dp[p11], 'NaN'), coalesce(dp[p12], 'NaN'))))
               || lseg_send(lseg(point(coalesce(dp[p13], 'NaN'), coalesce(dp[p14], 'NaN')), point(coalesce(dp[p15], 'NaN'), coalesce(dp[p16], 'NaN'))))
           end,
           null
         )
  from ts
  where rra_bundle_id = span.archive
    and ts.seg = segment.seg
    and i between span.low and span.high
    and t > span.start
    and t <= span.final
) as slots (indexes, slot_values)
