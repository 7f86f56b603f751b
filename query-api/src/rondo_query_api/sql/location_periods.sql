-- Location periods of these series, the newest first: number of the series in the parameter, from 1, number of the period, policy,
-- starts_at, ends_at and reassigned_at, epoch seconds.
select wanted.n,
       period.number,
       period.policy,
       extract(epoch from period.starts_at)::double precision,
       extract(epoch from ends_at)::double precision,
       extract(epoch from reassigned_at)::double precision
from unnest(%(series)s::bigint[], %(idents)s::bigint[]) with ordinality as wanted (id, ident_hash, n)
join ds using (id)
join location_period as period on period.ds_id = id
where {ident_hash} = ident_hash
order by wanted.n, period.number desc
