-- Locations of these series, the newest first: number of the series in the parameter, from 1, number of the stay, policy, valid_from, valid_to and taken_at, epoch seconds.
select wanted.n,
       stay.stay,
       stay.policy,
       extract(epoch from stay.valid_from)::double precision,
       extract(epoch from valid_to)::double precision,
       extract(epoch from taken_at)::double precision
from unnest(%(series)s::bigint[], %(idents)s::bigint[]) with ordinality as wanted (id, ident_hash, n)
join ds using (id)
join series_location as stay on stay.ds_id = id
where {ident_hash} = ident_hash
order by wanted.n, stay.stay desc
