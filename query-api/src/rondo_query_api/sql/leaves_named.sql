-- Untagged series with exactly these names (a JSON array): how many there are, at most "most" + 1; their names and, if "described", ids,
-- hashes of the idents, policies, periods and starts_at, epoch seconds.
select count(*),
       coalesce(array_agg(name), '{}'),
       coalesce(array_agg(id) filter (where %(described)s), '{}'),
       coalesce(array_agg({ident_hash}) filter (where %(described)s), '{}'),
       coalesce(array_agg(policy) filter (where %(described)s), '{}'),
       coalesce(array_agg(period) filter (where %(described)s), '{}'),
       coalesce(array_agg(date_part('epoch', starts_at)::bigint) filter (where %(described)s), '{}')
from (
  select ident ->> 'name' as name, ident, id, policy, period, starts_at
  from {visible_series}
  where ident ->> 'name' = any(array(select json_array_elements_text(%(names)s)))
    and ident - 'name' = '{}'
  limit %(most)s + 1
) as inspected
