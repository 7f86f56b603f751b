-- A prefix (empty, or some nodes and a dot) and the next node: those with the most series; they end with a dot where nodes follow.
with keyed as (
  select key, coalesce(is_new, false) as is_new
  from (
    select substr(ident ->> 'name', length(%(prefix)s) + 1) as rest, is_new
    from ({sampled_series}) as series
    where starts_with(ident ->> 'name', %(prefix)s)
    offset 0
  ) as below
  cross join lateral (
    values (null), (%(prefix)s || split_part(rest, '.', 1) || case when rest like '%%.%%' then '.' else '' end)
  ) as keys (key)
),
{cardinality}
