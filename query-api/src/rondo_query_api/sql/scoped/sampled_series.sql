-- Like sql/sampled_series.sql, but all series of the scope.
select ident, policy, source, period = 0 and starts_at >= to_timestamp(%(since)s) as is_new
from {all_visible_series}
