-- Branches at any depth below these parents (a JSON array): how many rows were inspected, at most "most" + 1; their paths, each followed
-- by a dot. The result may have duplicates and branches without series; the next statement, for the nodes below, ignores these.
select count(*), coalesce(array_agg(path), '{}')
from (
  select below.parent || node || '.' as path
  from json_array_elements_text(%(parents)s) as wanted (parent)
  cross join lateral (
    select parent, node
    from {visible_branches}
    where branch.parent >= wanted.parent
      and branch.parent < wanted.parent || %(after_all)s
    offset 0
  ) as below
  limit %(most)s + 1
) as inspected
