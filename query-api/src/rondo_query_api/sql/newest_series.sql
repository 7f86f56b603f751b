-- Ids of the series that were stored last.
select id from ds order by id desc limit %(most)s
