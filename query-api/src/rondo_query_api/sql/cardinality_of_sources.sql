-- Topics that brought the most series; '(unknown)' is that of series without one.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from ({sampled_series}) as series
  cross join lateral (values (null), (coalesce(source, '(unknown)'))) as keys (key)
),
{cardinality}
