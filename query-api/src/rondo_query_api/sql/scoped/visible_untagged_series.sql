-- All untagged series of the scope: prefixes end with a dot, and / is the character after the dot. None begins with another one.
(
  select found.*
  from unnest(%(scope_prefixes)s::text[]) as prefix
  cross join lateral (
    select *
    from ds
    where ident ->> 'name' ~>=~ prefix
      and ident ->> 'name' ~<~ (left(prefix, -1) || '/')
      and ident - 'name' = '{}'
    offset 0
  ) as found
) as ds
