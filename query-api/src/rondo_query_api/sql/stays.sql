-- Locations of these series, the newest first: id, number of the stay, policy, valid_from, valid_to and taken_at, epoch seconds.
select ds_id,
       stay,
       policy,
       extract(epoch from valid_from)::double precision,
       extract(epoch from valid_to)::double precision,
       extract(epoch from taken_at)::double precision
from series_location
where ds_id = any(%(series)s::bigint[])
order by ds_id, stay desc
