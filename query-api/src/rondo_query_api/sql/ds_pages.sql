-- Pages of the table ds.
select pg_relation_size('ds') / current_setting('block_size')::integer
