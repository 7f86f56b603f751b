-- All archives that Graphite can show: those with a step of whole seconds.
select id, policy, cf, step_ms / 1000, size, whisper, xff, extract(epoch from first)::bigint, extract(epoch from latest)::bigint,
       aggregate
from rra_bundle
where step_ms % 1000 = 0
order by step_ms, id
