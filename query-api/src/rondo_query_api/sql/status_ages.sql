-- All archives: policy, function, step in seconds, slots, seconds since the end of the newest slot.
select policy, cf, step_ms / 1000.0::float8, size, extract(epoch from now() - latest)::float8
from rra_bundle
order by policy, step_ms, cf
