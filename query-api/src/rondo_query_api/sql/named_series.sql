-- Of these series, those of the policy (null: any) that began at or after "since" (epoch seconds, null: any time), the last stored first:
-- id, hash of the ident, and ident.
select id, {ident_hash}, ident
from {visible_series}
where id = any(%(ids)s::bigint[])
  and (%(policy)s::text is null or policy = %(policy)s)
  and (%(since)s::double precision is null or (period = 0 and starts_at >= to_timestamp(%(since)s)))
order by id desc
limit %(most)s
