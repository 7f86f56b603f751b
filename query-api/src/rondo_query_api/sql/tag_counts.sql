-- Values of a tag that match the regex, sorted, and the number of series with each. It reads all series.
select value, count(*)
from (select ident ->> %(tag)s collate "C" as value from {all_visible_series}) as series
where value ~ %(regex)s
group by value
order by value
limit %(most)s
