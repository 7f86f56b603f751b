-- Hash of an ident: an id and it name a series, also after a restore has given the id to another one.
jsonb_hash_extended(ident, 0)
