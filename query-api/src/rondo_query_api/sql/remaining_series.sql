-- Number of those of these series that exist.
select count(*) from {series_of_keys}
