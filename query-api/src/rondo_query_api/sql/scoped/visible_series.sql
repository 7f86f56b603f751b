-- The series of the scope, for statements that find them by an index.
(select * from ds where {in_scope}) as ds
