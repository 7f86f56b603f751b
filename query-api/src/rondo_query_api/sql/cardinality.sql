-- End of the statements that count series by a key. For each series of the sample, the relation keyed has a row with the key null, and one
-- for each of its keys. The result has the keys with the most series, with "by_new" those with the most new series, and both numbers; the
-- first row, with the key null, counts all series of the sample.
counted as (
  select key, count(*) as series, count(*) filter (where is_new) as new
  from keyed
  group by key
)
select key, series, new
from counted
order by key is not null, case when %(by_new)s then new end desc, series desc, key
limit %(most)s + 1
