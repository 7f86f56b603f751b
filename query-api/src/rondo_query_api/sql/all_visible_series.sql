-- As sql/visible_series.sql, where all of them are read.
ds
