-- Names of all untagged series, sorted, as the text of one JSON array.
select coalesce(json_agg(name), '[]')::text
from (
  select ident ->> 'name' as name
  from ds
  where ident - 'name' = '{}'
  order by ident ->> 'name' using ~<~
) as untagged
