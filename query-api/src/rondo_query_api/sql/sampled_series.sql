-- Series in "percent" of the pages of ds, always the same ones, and whether each began at or after "since" (epoch seconds, null: none is
-- new). A series that has moved is not new.
select ident, policy, source, period = 0 and starts_at >= to_timestamp(%(since)s) as is_new
from ds tablesample system (%(percent)s::real) repeatable (0)
