-- Stands for a migration of a later release: a new table, and a function that an index uses.
create table later (id integer primary key);

create or replace function rondo_parent(path text) returns text
  language sql immutable strict parallel safe
  return left(path, length(path) - strpos(reverse(path) || '.', '.') + 1);
-- Open sessions keep the former body in the expression of the index, and would not use the index for the new one. This changes
-- nothing, but makes them read the definition again.
alter index ds_parent reset (fillfactor);
