-- Version of the server, whether it is a standby, bytes of the database and of ts, estimated number of series, its clock in epoch seconds.
select current_setting('server_version'),
       pg_is_in_recovery(),
       pg_database_size(current_database()),
       pg_total_relation_size('ts'),
       (select greatest(reltuples, 0)::bigint from pg_class where oid = 'ds'::regclass),
       extract(epoch from clock_timestamp())::float8
