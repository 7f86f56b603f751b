-- Policies with the most series.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from ({sampled_series}) as series
  cross join lateral (values (null), (policy)) as keys (key)
),
{cardinality}
