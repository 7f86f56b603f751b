-- Of each table of Rondo's schema: bytes with indexes, live and dead rows as last counted, updates, and those within their page (HOT).
select relname::text, pg_total_relation_size(relid), n_live_tup, n_dead_tup, n_tup_upd, n_tup_hot_upd
from pg_stat_user_tables
where schemaname = (select relnamespace::regnamespace::text from pg_class where oid = 'ts'::regclass)
order by relname
