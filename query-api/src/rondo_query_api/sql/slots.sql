-- Known slots of many series in one archive: for each series the slots' places (0 is the first of the range), their values.
-- Slots end after start and at or before final, epoch s; low and high are their one or two ranges of i, first the i of
-- the first slot. Each series is aggregated for itself and each range read for itself (offset 0 keeps the planner from
-- merging them), so that only rows of the series' own segment and of the range are read, by their key.
select wanted.id, slots.places, slots.known
from unnest(%(series)s::bigint[]) as wanted (id)
cross join lateral (
  select array_agg((slot.i - %(first)s + %(size)s) %% %(size)s), array_agg(slot.r)
  from unnest(%(low)s::integer[], %(high)s::integer[]) as span (low, high)
  cross join lateral (
    select i, r
    from tv
    where ds_id = wanted.id
      and rra_bundle_id = %(archive)s
      and i between span.low and span.high
      and t > to_timestamp(%(start)s)
      and t <= to_timestamp(%(final)s)
      and r is not null
    offset 0
  ) as slot
) as slots (places, known)
where slots.known is not null
