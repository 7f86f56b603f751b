-- Branches directly below these parents (a JSON array) with low <= node < high that match the regex (null: all): how many rows were
-- inspected, at most "most" + 1; their paths, each followed by a dot, possibly with duplicates; and those among
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
  from {visible_branches}
  where parent = any(array(select json_array_elements_text(%(parents)s)))
    and node >= %(low)s
    and node < %(high)s
  limit %(most)s + 1
) as inspected
