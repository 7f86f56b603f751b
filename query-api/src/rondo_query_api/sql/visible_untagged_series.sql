-- Like sql/visible_series.sql, for statements that read all untagged ones.
ds
