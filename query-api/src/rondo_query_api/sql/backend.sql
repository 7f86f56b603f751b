-- Process id of the backend that runs this statement. A pooler announces another number when a client connects.
select pg_backend_pid()
