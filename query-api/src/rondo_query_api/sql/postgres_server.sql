-- Of the database and its server: bytes, bytes of WAL since it was created, sessions and their limit.
select pg_database_size(current_database()),
       (case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end - '0/0'::pg_lsn)::bigint,
       (select sum(numbackends) from pg_stat_database)::bigint,
       current_setting('max_connections')::bigint
