-- Series of so many percent of the pages of ds, the same ones each time, and whether each began at or after since (epoch seconds, null:
-- none did). A series that has moved is not new.
select ident, policy, source, period = 0 and starts_at >= to_timestamp(%(since)s) as is_new
from ds tablesample system (%(percent)s::real) repeatable (0)
