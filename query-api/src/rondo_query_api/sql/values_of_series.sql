-- Values of a tag, from low on and before high, in the first so many series that series_by_tags.sql finds: how many series these are,
-- and their values, sorted.
select coalesce(sum(series), 0)::bigint,
       coalesce(array_agg(value order by value) filter (where value <> '' and value >= %(low)s and value < %(high)s), '{}')
from (
  select value, count(*) as series
  from (
    select ident ->> %(tag)s collate "C" as value
    from ds
    where (%(documents)s::jsonb[] is null or ident @> any(%(documents)s::jsonb[]))
      and not exists (
        select
        from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
        where (coalesce(ident ->> tag, '') ~ regex) <> wanted
      )
    limit %(most_series)s
  ) as matching
  group by value
) as each
