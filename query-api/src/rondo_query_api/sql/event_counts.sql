-- Number of events with all of these tags in each second from start to before end, epoch seconds; seconds without events are absent.
select floor(extract(epoch from t))::bigint, count(*)
from {visible_events}
where t >= to_timestamp(%(start)s) and t < to_timestamp(%(end)s) and tags @> %(tags)s::text[]
group by 1
limit %(most)s
