-- Delete the event with this id, or those from start to the end of the second "end", epoch seconds, that have all of these tags; a batch.
delete from event
where id in (
  select id
  from event
  where (%(id)s::bigint is null or id = %(id)s)
    and t >= to_timestamp(%(start)s) and t < to_timestamp(%(end)s + 1)
    and tags @> %(tags)s::text[]
  limit 10000
)
returning id
