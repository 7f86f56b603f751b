-- The series with exactly this ident.
select id, policy, moves
from ds
where ident = %(ident)s::jsonb
