-- Branches right below these parents whose node is from low on and before high, and fits the regex: how many were looked at, one
-- more than most at the most; their paths, each with a dot behind it. Of those in doubt the ones that have names below them.
select count(*),
       coalesce(
         array_agg(parent || node || '.')
           filter (where node ~ %(regex)s and (not in_doubt or rondo_is_branch(parent, node))),
         '{}'
       )
from (
  select parent, node, in_doubt
  from unnest(%(parents)s::text[]) as wanted (parent)
  cross join lateral (
    select node, bool_or(branch.in_doubt) as in_doubt
    from branch
    where branch.parent = wanted.parent
      and node >= %(low)s
      and node < %(high)s
    group by node
    offset 0
  ) as child
  limit %(most)s + 1
) as looked
