-- Number of those of these series that exist.
select count(*) from {visible_series} where id = any(%(ids)s::bigint[])
