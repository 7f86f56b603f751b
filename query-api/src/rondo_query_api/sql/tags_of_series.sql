-- Tags of the series that series_by_tags.sql finds, from low on and before high, but for those that are left out; sorted.
select key
from (
  select distinct key collate "C" as key
  from rondo_series_with(%(documents)s::jsonb[]) cross join jsonb_object_keys(ident) as key
  where not exists (
    select
    from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
    where (coalesce(ident ->> tag, '') ~ regex) <> wanted
  )
) as found
where key >= %(low)s
  and key < %(high)s
  and key <> all(%(left_out)s::text[])
order by key
limit %(most)s
