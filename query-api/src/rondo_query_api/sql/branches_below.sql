-- Branches at any depth below these parents (a JSON array): how many were looked at, one more than most at the most; their paths, each with a dot
-- behind it. One may come more than once, and what was there before may still come: what is below it shows.
select count(*), coalesce(array_agg(path), '{}')
from (
  select below.parent || node || '.' as path
  from json_array_elements_text(%(parents)s) as wanted (parent)
  cross join lateral (
    select parent, node
    from branch
    where branch.parent >= wanted.parent
      and branch.parent < wanted.parent || %(after_all)s
    offset 0
  ) as below
  limit %(most)s + 1
) as looked
