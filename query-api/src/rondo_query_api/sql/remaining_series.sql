-- Number of those of these series that exist.
select count(*) from ds where id = any(%(ids)s::bigint[])
