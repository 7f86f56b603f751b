-- The series with exactly this ident.
select id, {ident_hash}, policy, period
from {visible_series}
where ident = %(ident)s::jsonb
