-- Tags, low <= tag < high, that match the regex, sorted; name is one if there are series. The index scan hops from tag to tag.
with recursive hop (tag) as (
  (select tag from tag_value order by tag limit 1)
  union all
  select (select next.tag from tag_value as next where next.tag > hop.tag order by next.tag limit 1)
  from hop
  where tag is not null
),
every (tag) as (
  select tag
  from hop
  where exists (
    select
    from tag_value
    where tag_value.tag = hop.tag
    group by tag_value.tag, value
    having not bool_or(unconfirmed) or rondo_is_tag_value(tag_value.tag, value)
  )
  union
  select 'name' where exists (select from ds)
)
select tag
from every
where tag >= %(low)s
  and tag < %(high)s
  and tag ~ %(regex)s
order by tag
limit %(most)s
