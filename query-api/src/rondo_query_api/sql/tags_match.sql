-- Condition on ident: its tags match (wanted) or do not match a regex each; '' is no tag.
not exists (
  select
  from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
  where (coalesce(ident ->> tag, '') ~ regex) <> wanted
)
