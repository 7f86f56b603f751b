-- Number of events in each second from start to before end, epoch seconds, that has one, of those that have all tags.
select floor(extract(epoch from t))::bigint, count(*)
from event
where t >= to_timestamp(%(start)s) and t < to_timestamp(%(end)s) and tags @> %(tags)s::text[]
group by 1
