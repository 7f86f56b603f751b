-- Archives of these policies, those that Graphite can show: its steps are whole seconds.
select id, policy, cf, step_ms / 1000, size, whisper
from rra_bundle
where policy = any(%(policies)s)
  and step_ms %% 1000 = 0
order by step_ms, id
