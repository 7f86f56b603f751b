-- Names of untagged series, sorted, at most "most" (null: all): their number, and the text of one JSON array.
select count(*), coalesce(json_agg(name), '[]')::text
from (
  select ident ->> 'name' as name
  from {visible_untagged_series}
  where ident - 'name' = '{}'
  order by ident ->> 'name' using ~<~
  limit %(most)s
) as untagged
