-- The untagged series of exactly these names: how many there are, one more than most at the most; their names, ids, policies and
-- births, epoch seconds.
select count(*),
       coalesce(array_agg(name), '{}'),
       coalesce(array_agg(id), '{}'),
       coalesce(array_agg(policy), '{}'),
       coalesce(array_agg(born), '{}')
from (
  select name, id, policy, born
  from unnest(%(names)s::text[]) as wanted (name_wanted)
  cross join lateral (
    select ident ->> 'name' as name, id, policy, extract(epoch from born)::bigint as born
    from ds
    where ident ->> 'name' = name_wanted
      and ident - 'name' = '{}'
    offset 0
  ) as leaf
  limit %(most)s + 1
) as looked
