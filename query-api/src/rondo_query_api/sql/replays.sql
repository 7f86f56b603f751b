-- Unfinished live replays and backfills: id, state, records, and those not read yet, seconds since the start and since the last progress.
select id, state, records, records - read,
       extract(epoch from now() - started)::float8,
       extract(epoch from now() - progressed)::float8
from replay_job
order by id
