-- Of these series, those of the policy (null: any) that began at or after "since" (epoch seconds, null: any time), the last stored first:
-- id, hash of the ident, ident, policy, source, segment, position, period and starts_at, epoch seconds; value, time (epoch seconds) and
-- step (seconds) of the newest known slot, null if no archive has a value in its last "slots" slots.
-- If several archives have a value for the same time, the finest one counts; a retired one has older slots.
select series.id, {ident_hash}, ident, series.policy, source, seg, pos, period, extract(epoch from starts_at)::double precision,
       newest.value, extract(epoch from newest.t)::double precision, newest.step_ms / 1000.0::double precision
from (
  select *
  from {visible_series}
  where id = any(%(ids)s::bigint[])
    and (%(policy)s::text is null or policy = %(policy)s)
    and (%(since)s::double precision is null or (period = 0 and starts_at >= to_timestamp(%(since)s)))
  order by id desc
  limit %(most)s
) as series
left join lateral (
  select ts.dp[series.pos] as value,
         case when bundle.whisper then ts.t - bundle.step_ms * interval '1 ms' else ts.t end as t,
         bundle.step_ms
  from rra_bundle as bundle
  cross join generate_series(0, %(slots)s - 1) as back
  join ts on ts.rra_bundle_id = bundle.id
         and ts.seg = series.seg
         and ts.i = ((extract(epoch from bundle.latest) * 1000)::bigint / bundle.step_ms - back) %% bundle.size
         and ts.t = bundle.latest - back * bundle.step_ms * interval '1 ms'
  where bundle.policy = series.policy
    and back < bundle.size
    and ts.t > series.starts_at
    and nullif(ts.dp[series.pos], 'NaN') is not null
  order by ts.t - bundle.step_ms * interval '1 ms' desc, bundle.step_ms, bundle.cf <> bundle.aggregate
  limit 1
) as newest on true
order by series.id desc
