-- Idents of those of these series that exist.
select ident from {series_of_keys}
