-- Topics that brought the most series; '(backfill)' is that of series that no topic made.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from ({sampled_series}) as series
  cross join lateral (values (null), (coalesce(source, '(backfill)'))) as keys (key)
),
{cardinality}
