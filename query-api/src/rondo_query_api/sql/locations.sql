-- Locations of these series, the newest first: id, policy, segment, position, starts_at and ends_at (null: until now), epoch seconds.
select ds_id,
       policy,
       seg,
       pos,
       extract(epoch from starts_at)::double precision,
       case when ends_at < 'infinity' then extract(epoch from ends_at)::double precision end
from location_period
where ds_id = any(%(series)s::bigint[])
order by ds_id, number desc
