-- Series whose ident has all of one of these documents (null: all series), and whose tags match (wanted) or do not match a regex each;
-- '' is no tag.
select id, ident, policy
from ds
where (%(documents)s::jsonb[] is null or ident @> any(%(documents)s::jsonb[]))
  and not exists (
    select
    from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
    where (coalesce(ident ->> tag, '') ~ regex) <> wanted
  )
