-- Like sql/tag_values.sql, for the series of the scope, all of which it reads.
select value
from (select distinct ident ->> %(tag)s collate "C" as value from {all_visible_series}) as every
where value >= %(low)s
  and value < %(high)s
  and value ~ %(regex)s
order by value
limit %(most)s
