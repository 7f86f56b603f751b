-- The series with exactly this ident.
select id, policy
from ds
where ident = %(ident)s::jsonb
