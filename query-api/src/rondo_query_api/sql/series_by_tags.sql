-- Series that match.
select id, ident, policy, moves
from ds
where {series_match}
