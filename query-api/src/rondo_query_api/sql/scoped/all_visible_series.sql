-- All series of the scope: the untagged ones by their names, the tagged ones by the tags of the selections and by each name that has one
-- of the prefixes.
(
  select *
  from {visible_untagged_series}
  union all
  select *
  from ds
  where ident - 'name' <> '{}'
    and ident @> any(
      %(scope_documents)s::jsonb[]
      || array(
        select distinct jsonb_build_object('name', value)
        from unnest(%(scope_prefixes)s::text[]) as prefix
        join tag_value on tag = 'name' and value >= prefix and value < left(prefix, -1) || '/'
      )
    )
    and {in_scope}
) as ds
