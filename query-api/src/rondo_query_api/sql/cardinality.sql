-- The end of the statements that count series by a key, from the relation keyed: it has a row with the key null for each series of the
-- sample, and one for each key of it. Keys with their number of series and of new ones, most of them first, by the new ones with
-- "by_new"; the first row, with the key null, counts all series of the sample.
counted as (
  select key, count(*) as series, count(*) filter (where is_new) as new
  from keyed
  group by key
)
select key, series, new
from counted
order by key is not null, case when %(by_new)s then new end desc, series desc, key
limit %(most)s + 1
