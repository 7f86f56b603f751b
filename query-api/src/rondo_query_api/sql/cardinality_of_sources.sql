-- Topics of the first points of the most series; '(backfill)' stands for series without one.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from ({sampled_series}) as series
  cross join lateral (values (null), (coalesce(source, '(backfill)'))) as keys (key)
),
{cardinality}
