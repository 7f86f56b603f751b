-- Condition on ident: each of these tags matches its regex if "wanted", else does not; a missing tag is ''.
not exists (
  select
  from unnest(%(tags)s::text[], %(regexes)s::text[], %(wanted)s::boolean[]) as expression (tag, regex, wanted)
  where (coalesce(ident ->> tag, '') ~ regex) <> wanted
)
