-- Branches at or below a prefix of the scope, and those above a prefix that has untagged series.
(
  select *
  from branch
  where (parent || node || '.') ^@ any(%(scope_prefixes)s::text[])
     or exists (
       select
       from unnest(%(scope_prefixes)s::text[]) as prefix
       where prefix ^@ (parent || node || '.')
         and exists (
           select
           from ds
           where ident ->> 'name' ~>=~ prefix
             and ident ->> 'name' ~<~ (left(prefix, -1) || '/')
             and ident - 'name' = '{}'
         )
     )
) as branch
