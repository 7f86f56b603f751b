-- Set these parameters for the session, or for the current transaction only.
select set_config(name, value, %(transaction)s)
from unnest(%(names)s::text[], %(values)s::text[]) as parameter (name, value)
