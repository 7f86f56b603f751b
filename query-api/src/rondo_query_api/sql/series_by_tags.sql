-- Series that match.
select id, ident, policy
from ds
where {series_match}
