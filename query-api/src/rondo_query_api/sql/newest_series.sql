-- Ids of the series that were stored last.
select id from {all_visible_series} order by id desc limit %(most)s
