-- Values of a tag that fit the regex, sorted, and how many series have each. It reads all series.
select value, count(*)
from (select ident ->> %(tag)s collate "C" as value from ds) as series
where value ~ %(regex)s
group by value
order by value
limit %(most)s
