-- Branches right below these parents (a JSON array) whose node is from low on and before high, and fits the regex, all where it is null:
-- how many were looked at, one more than most at the most; their paths, each with a dot behind it, some more than once; and those among
-- them that are unconfirmed and have no names below them.
select count(*),
       coalesce(array_agg(parent || node || '.') filter (where %(regex)s::text is null or node ~ %(regex)s), '{}'),
       array(
         select parent || node || '.'
         from branch
         where parent = any(array(select json_array_elements_text(%(parents)s)))
           and node >= %(low)s
           and node < %(high)s
           and unconfirmed
           and not rondo_is_branch(parent, node)
       )
from (
  select parent, node
  from branch
  where parent = any(array(select json_array_elements_text(%(parents)s)))
    and node >= %(low)s
    and node < %(high)s
  limit %(most)s + 1
) as looked
