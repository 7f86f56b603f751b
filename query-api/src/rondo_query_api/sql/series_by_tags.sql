-- Series that match, at most so many (null: all).
select id, ident, policy, moves
from ds
where {series_match}
limit %(most)s
