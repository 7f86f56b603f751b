-- As sql/tag_values.sql, of the series of the scope: reads all of them.
select value
from (select distinct ident ->> %(tag)s collate "C" as value from {all_visible_series}) as every
where value >= %(low)s
  and value < %(high)s
  and value ~ %(regex)s
order by value
limit %(most)s
