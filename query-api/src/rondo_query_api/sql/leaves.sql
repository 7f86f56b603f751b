-- Leaves directly below these parents (a JSON array) whose node matches the regex (null: all): how many rows were inspected, at most
-- "most" + 1; their names and, if "described", ids, hashes of the idents, policies, periods and starts_at, epoch seconds.
select count(*),
       coalesce(array_agg(name) filter (where fits), '{}'),
       coalesce(array_agg(id) filter (where fits and %(described)s), '{}'),
       coalesce(array_agg({ident_hash}) filter (where fits and %(described)s), '{}'),
       coalesce(array_agg(policy) filter (where fits and %(described)s), '{}'),
       coalesce(array_agg(period) filter (where fits and %(described)s), '{}'),
       coalesce(array_agg(date_part('epoch', starts_at)::bigint) filter (where fits and %(described)s), '{}')
from (
  select name, ident, id, policy, period, starts_at, %(regex)s::text is null or split_part(name, '.', -1) ~ %(regex)s as fits
  from (
    select ident ->> 'name' as name, ident, id, policy, period, starts_at
    from {visible_series}
    where rondo_parent(ident ->> 'name') = any(array(select json_array_elements_text(%(parents)s)))
      and ident - 'name' = '{}'
    limit %(most)s + 1
  ) as leaf
  offset 0
) as inspected
