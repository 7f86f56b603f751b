-- Locations of these series, the newest first: id, policy, segment, position, valid_from and valid_to (null: it lives there), epoch
-- seconds.
select ds_id,
       policy,
       seg,
       pos,
       extract(epoch from valid_from)::double precision,
       case when valid_to < 'infinity' then extract(epoch from valid_to)::double precision end
from series_location
where ds_id = any(%(series)s::bigint[])
order by ds_id, stay desc
