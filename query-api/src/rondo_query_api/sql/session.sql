-- Set these parameters for the whole session, or for this transaction alone.
select set_config(name, value, %(transaction)s)
from unnest(%(names)s::text[], %(values)s::text[]) as parameter (name, value)
