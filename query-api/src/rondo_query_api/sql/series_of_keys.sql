-- The series with these ids that still have idents with these hashes.
unnest(%(series)s::bigint[], %(idents)s::bigint[]) as wanted (id, ident_hash)
join {visible_series} using (id)
where {ident_hash} = ident_hash
