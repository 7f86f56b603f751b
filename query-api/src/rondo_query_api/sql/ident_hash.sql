-- Hash of an ident. Together with the id it names a series, even if a restored database gives the id to another one.
jsonb_hash_extended(ident, 0)
