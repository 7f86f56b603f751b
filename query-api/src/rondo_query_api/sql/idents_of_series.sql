-- Idents of the existing ones of these series.
select ident from {series_of_keys}
