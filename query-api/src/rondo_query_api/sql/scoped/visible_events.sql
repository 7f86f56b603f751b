-- The events of the scope, without the tags of other scopes; none where it has no tag.
(
  select id, t, what, own.tags, data, created
  from event
  cross join lateral (
    select array_agg(tag order by n) as tags
    from unnest(event.tags) with ordinality as each (tag, n)
    where not starts_with(tag, 'scope:') or tag = %(scope_event_tag)s
  ) as own
  where event.tags @> array[%(scope_event_tag)s::text]
) as event
