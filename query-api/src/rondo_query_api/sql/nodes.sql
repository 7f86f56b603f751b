-- Nodes that a pattern matches: path, id and policy of the untagged series there (null for a branch), is it a branch.
--
-- The walk hops through the index on names from one node of a wanted level to the next, over all that lies below it,
-- so that it reads about as many rows as there are nodes to look at and not as many as there are names.
-- A pattern is, for each of its nodes with wildcards, a head (literal text before it), a start (its own literal text
-- before the first wildcard) and a regex (the whole node); tail is the literal text after the last.
-- '/' is the character after '.': what lies below a.b sorts between 'a.b.' and 'a.b/'.
with recursive
pattern (heads, starts, regexes, tail, levels) as (
  select %(heads)s::text[], %(starts)s::text[], %(regexes)s::text[], %(tail)s::text, cardinality(%(heads)s::text[])
),
walk (level, base, name, id, policy, path) as (
  select 0, '', '', null::bigint, null::text, ''
  union all
  select hop.level,
         hop.base,
         found.name,
         found.id,
         found.policy,
         hop.base || split_part(substr(found.name, length(hop.base) + 1), '.', 1)
  from walk
  cross join pattern
  cross join lateral (
    select level, base, case when name = path then name || chr(1) else path || '/' end
    where level > 0
    union all
    select level + 1, path || heads[level + 1], path || heads[level + 1] || starts[level + 1]
    where level < levels
      and (level = 0 or (name <> path and substr(path, length(base) + 1) ~ regexes[level]))
  ) as hop (level, base, low)
  cross join lateral (
    select ident ->> 'name' as name, id, policy
    from ds
    where ident ->> 'name' ~>=~ hop.low
      and ident ->> 'name' ~<~ (hop.base || starts[hop.level] || %(after_all)s)
      and ident - 'name' = '{}'
    order by ident ->> 'name' using ~<~
    limit 1
  ) as found
),
reached (name, id, policy, path) as (
  select name, id, policy, path
  from walk
  cross join pattern
  where level = levels
    and (level = 0 or substr(path, length(base) + 1) ~ regexes[level])
)
select path, case when name = path then id end, policy, name <> path
from reached
cross join pattern
where tail = ''
union all
select path || tail, probe.id, probe.policy, probe.branch
from reached
cross join pattern
cross join lateral (
  (
    select id, policy, false
    from ds
    where ident ->> 'name' = path || tail
      and ident - 'name' = '{}'
  )
  union all
  (
    select null, null, true
    from ds
    where ident ->> 'name' ~>=~ (path || tail || '.')
      and ident ->> 'name' ~<~ (path || tail || '/')
      and ident - 'name' = '{}'
    order by ident ->> 'name' using ~<~
    limit 1
  )
) as probe (id, policy, branch)
where tail <> ''
  and (name <> path or name = '')
