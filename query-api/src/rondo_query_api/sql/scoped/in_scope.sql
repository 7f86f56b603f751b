-- Condition on ident: the name has one of the prefixes of the scope, or the tags match one of its selections.
(
  (ident ->> 'name') ^@ any(%(scope_prefixes)s::text[])
  or exists (
    select
    from unnest(%(scope_documents)s::jsonb[], %(scope_checks)s::jsonb[]) as selection (document, checks)
    where ident @> document
      and not exists (
        select
        from jsonb_to_recordset(checks) as expression (tag text, regex text, wanted boolean)
        where (coalesce(ident ->> tag, '') ~ regex) <> wanted
      )
  )
)
