-- Delete a batch of events that are this many days older than the newest slot, or than now if that is earlier: a clock that is ahead
-- deletes nothing. An open slot counts from its start.
delete from event
where id in (
  select id
  from event
  where t < (select max(least(latest - step_ms * interval '1 ms', now())) from rra_bundle) - make_interval(days => %(days)s)
  order by t
  limit 10000
)
returning null
