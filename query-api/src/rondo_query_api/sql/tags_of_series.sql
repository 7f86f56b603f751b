-- Tags, low <= tag < high, of the first "most_series" series that match and have one of "some_tags" (null: no such condition): the
-- number of these series, and their tags, sorted. Every series has the tag name.
select coalesce(max(series), 0),
       coalesce(array_agg(tag order by tag) filter (where tag >= %(low)s and tag < %(high)s), '{}')
from (
  select tag, count(*) as series
  from (
    select ident
    from {visible_series}
    where {series_match}
      and (%(some_tags)s::text[] is null or ident ?| %(some_tags)s::text[])
    limit %(most_series)s
  ) as matching
  cross join lateral (select key collate "C" as tag from jsonb_object_keys(ident) as key) as keys
  group by tag
) as each
