-- The known closed slots of one series in one archive in Whisper mode, from its points in the order received.
-- Written from the definition, not from the topology: no state, every slot is worked out by itself.
with given as (
  select ?::text as points, ?::bigint as step, ?::bigint as heartbeat,
         ?::text as cf, ?::bigint as archive_step, ?::float8 as xff, ?::text as of_points
),
received as ( -- named by the end of its finest slot, [slot_end - step, slot_end)
  select ord, split_part(point, ':', 1)::bigint / step * step + step as slot_end,
         split_part(point, ':', 2)::float8 as v
  from given, unnest(string_to_array(points, ' ')) with ordinality as u (point, ord)
),
ranked as (
  select ord, slot_end, v,
         max(slot_end) over (order by ord rows between unbounded preceding and 1 preceding) as newest
  from received
),
finest as ( -- the last to arrive of each slot, or the sum of all, late ones apart
  select slot_end,
         case of_points when 'sum' then sum(v) when 'last' then (array_agg(v order by ord desc))[1] end as value
  from ranked, given where newest is null or slot_end >= newest
  group by slot_end, of_points
),
archive_slot as (
  select (slot_end + archive_step - 1) / archive_step * archive_step as slot_end,
         case cf
           when 'wmean' then avg(value)
           when 'min' then min(value)
           when 'max' then max(value)
           when 'sum' then sum(value)
           when 'last' then (array_agg(value order by slot_end desc))[1]
         end as value,
         count(*) * min(step) as known_time
  from finest, given
  group by 1, cf
)
select slot_end, value
from archive_slot, given
where known_time >= xff * archive_step
  and slot_end < (select max(slot_end) from finest)
order by slot_end
