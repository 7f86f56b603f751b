-- Set these parameters for the whole session.
select set_config(name, value, false)
from unnest(%(names)s::text[], %(values)s::text[]) as parameter (name, value)
