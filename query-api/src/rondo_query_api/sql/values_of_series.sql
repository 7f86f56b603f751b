-- Values of a tag, low <= value < high, in the first "most_series" series that match: the number of these series, and their first "most"
-- values (null: all), sorted.
select coalesce(sum(series), 0)::bigint,
       coalesce((array_agg(value order by value) filter (where value <> '' and value >= %(low)s and value < %(high)s))[:%(most)s], '{}')
from (
  select value, count(*) as series
  from (
    select ident ->> %(tag)s collate "C" as value
    from {visible_series}
    where {series_match}
    limit %(most_series)s
  ) as matching
  group by value
) as each
