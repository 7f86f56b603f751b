-- Tags with the most series, without the name.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from ({sampled_series}) as series
  cross join lateral (select null as key union all select jsonb_object_keys(ident - 'name')) as keys
),
{cardinality}
