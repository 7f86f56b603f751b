-- Leaves right below these parents whose node fits the regex: how many were looked at, one more than most at the most; their
-- names, ids, policies and births, epoch seconds.
select count(*),
       coalesce(array_agg(name) filter (where fits), '{}'),
       coalesce(array_agg(id) filter (where fits), '{}'),
       coalesce(array_agg(policy) filter (where fits), '{}'),
       coalesce(array_agg(born) filter (where fits), '{}')
from (
  select name, id, policy, born, substr(name, length(parent) + 1) ~ %(regex)s as fits
  from (
    select name, id, policy, born, parent
    from unnest(%(parents)s::text[]) as wanted (parent)
    cross join lateral (
      select ident ->> 'name' as name, id, policy, extract(epoch from born)::bigint as born
      from ds
      where rondo_parent(ident ->> 'name') = wanted.parent
        and ident - 'name' = '{}'
      offset 0
    ) as child
    limit %(most)s + 1
  ) as leaf
  offset 0
) as looked
