-- Values of a tag with the most series.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from ({sampled_series}) as series
  cross join lateral (select null as key union all select ident ->> %(tag)s where ident ? %(tag)s) as keys
),
{cardinality}
