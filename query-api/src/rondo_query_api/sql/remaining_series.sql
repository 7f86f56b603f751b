-- Number of the existing ones of these series.
select count(*) from {series_of_keys}
