-- Known slots of many series in one archive: for each series the slots' places (0 is the first of the range), their values.
-- Slots end after start and at or before final, epoch s; low and high are their one or two ranges of i, first the i of
-- the first slot. Each series is aggregated for itself, so that only rows of its own segment are read, by their key.
select wanted.id, slots.places, slots.known
from unnest(%(series)s::bigint[]) as wanted (id)
cross join lateral (
  select array_agg((tv.i - %(first)s + %(size)s) %% %(size)s), array_agg(tv.r)
  from unnest(%(low)s::integer[], %(high)s::integer[]) as span (low, high)
  join tv on tv.i between span.low and span.high
  where tv.ds_id = wanted.id
    and tv.rra_bundle_id = %(archive)s
    and tv.t > to_timestamp(%(start)s)
    and tv.t <= to_timestamp(%(final)s)
    and tv.r is not null
) as slots (places, known)
where slots.known is not null
