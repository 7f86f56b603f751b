-- Series whose ident has all of one of these documents, and whose tags match (wanted) or do not match a regex each; '' is no tag.
select id, ident, policy
from rondo_series_with(%(documents)s::jsonb[])
where not exists (
  select
  from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
  where (coalesce(ident ->> tag, '') ~ regex) <> wanted
)
