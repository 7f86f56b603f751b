-- Events from start to the end of the second "end", epoch seconds, that have all of the tags in "all" and, unless it is null, one of
-- the tags in "any"; oldest first, those of one time as they were stored. The last column adds up their bytes; the result ends with the
-- event that exceeds "most_bytes".
select id, floor(extract(epoch from t))::bigint, what, tags, data, bytes
from (
  select *, sum(size) over (order by t, created, id) as bytes
  from (
    select id, t, what, tags, data, created,
           octet_length(what) + octet_length(data) + octet_length(array_to_string(tags, ',')) as size
    from {visible_events}
    where t >= to_timestamp(%(start)s) and t < to_timestamp(%(end)s + 1)
      and tags @> %(all)s::text[]
      and (%(any)s::text[] is null or tags && %(any)s::text[])
    order by event.t, created, id
    limit %(most)s
  ) as first
) as counted
where bytes - size <= %(most_bytes)s
order by t, created, id
