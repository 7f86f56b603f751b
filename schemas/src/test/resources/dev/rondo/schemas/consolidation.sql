-- The known closed slots of one series in one archive, from its points in the order received.
-- Written from the definition, not from the topology: no state, every slot is summed by itself.
with given as (
  select ?::text as points, ?::bigint as step, ?::bigint as heartbeat,
         ?::text as cf, ?::bigint as archive_step, ?::float8 as xff
),
received as (
  select ord, split_part(point, ':', 1)::bigint as t, split_part(point, ':', 2)::float8 as v
  from given, unnest(string_to_array(points, ' ')) with ordinality as u (point, ord)
),
ranked as (
  select t, v,
         max(t) over (order by ord rows between unbounded preceding and 1 preceding) as newest
  from received
),
stored as ( -- a point that is not newer than all before it is late
  select t, v from ranked where newest is null or t > newest
),
held as ( -- v was the value over (since, t]
  select lag(t) over (order by t) as since, t, v from stored
),
known as (
  select held.* from held, given where t - since <= heartbeat
),
finest_slot as (
  select slot_end
  from given, generate_series(step, (select max(t) from stored), step) as slot_end
),
overlap as (
  select slot_end, v, least(t, slot_end) - greatest(since, slot_end - step) as d
  from given, finest_slot
  join known on since < slot_end
  where t > slot_end - step
),
finest as (
  select slot_end, sum(v * d) / sum(d) as value, sum(d) as known_time
  from overlap
  group by slot_end
),
archive_slot as (
  select (slot_end + archive_step - 1) / archive_step * archive_step as slot_end,
         case cf
           when 'wmean' then sum(value * known_time) / sum(known_time)
           when 'min' then min(value)
           when 'max' then max(value)
           when 'sum' then sum(value)
           when 'last' then (array_agg(value order by slot_end desc))[1]
         end as value,
         sum(known_time) as known_time
  from finest, given
  group by 1, cf
)
select slot_end, value
from archive_slot, given
where known_time >= xff * archive_step
  and slot_end <= (select max(t) from stored)
order by slot_end
