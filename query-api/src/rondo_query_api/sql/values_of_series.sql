-- Values of a tag in the series that series_by_tags.sql finds, from low on and before high; sorted.
select value
from (
  select distinct ident ->> %(tag)s collate "C" as value
  from rondo_series_with(%(documents)s::jsonb[])
  where not exists (
    select
    from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
    where (coalesce(ident ->> tag, '') ~ regex) <> wanted
  )
) as found
where value <> ''
  and value >= %(low)s
  and value < %(high)s
order by value
limit %(most)s
