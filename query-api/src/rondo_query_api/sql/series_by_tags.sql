-- Series that match, at most "most" (null: all).
select id, {ident_hash}, ident, policy, period
from {visible_series}
where {series_match}
limit %(most)s
