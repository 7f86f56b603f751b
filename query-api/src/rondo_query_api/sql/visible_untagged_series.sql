-- As sql/visible_series.sql, where all untagged ones are read.
ds
