-- As sql/sampled_series.sql: all series of the scope.
select ident, policy, source, moves = 0 and valid_from >= to_timestamp(%(since)s) as is_new
from {all_visible_series}
