-- Events from start to the end of the second "end", epoch seconds, that have all of the tags in "all" and, unless it is null, one of
-- the tags in "any"; oldest first, those of one time as they were stored.
select id, floor(extract(epoch from t))::bigint, what, tags, data
from {visible_events}
where t >= to_timestamp(%(start)s) and t < to_timestamp(%(end)s + 1)
  and tags @> %(all)s::text[]
  and (%(any)s::text[] is null or tags && %(any)s::text[])
order by event.t, created, id
limit %(most)s
