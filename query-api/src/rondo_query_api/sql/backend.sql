-- Process id of the backend that runs this statement. A pooler announces a number of its own when a client connects.
select pg_backend_pid()
