-- Like sql/tags.sql, for the series of the scope, all of which it reads.
select tag
from (
  select distinct key collate "C" as tag
  from {all_visible_series}
  cross join lateral jsonb_object_keys(ident) as key
) as every
where tag >= %(low)s
  and tag < %(high)s
  and tag ~ %(regex)s
order by tag
limit %(most)s
