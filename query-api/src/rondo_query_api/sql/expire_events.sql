-- Delete events that are older than these days, some at once.
delete from event
where id in (
  select id
  from event
  where t < now() - make_interval(days => %(days)s)
  order by t
  limit 10000
)
returning null
