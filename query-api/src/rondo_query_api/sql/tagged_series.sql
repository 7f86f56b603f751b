-- The series with exactly this ident.
select id, policy, moves
from {visible_series}
where ident = %(ident)s::jsonb
