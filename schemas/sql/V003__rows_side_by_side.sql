-- Rows of a segment lie side by side, and each is replaced in its own page (docs/decisions/0008).

-- Each page has room for one more version of a row of 116 values: an update stays in the page, changes no
-- index, and the next one takes the place of what it has left behind.
alter table ts set (
  fillfactor = 87,
  autovacuum_vacuum_insert_threshold = -1 -- rows are made once and replaced ever after: nothing to freeze early
);
alter table ts alter column dp set statistics 0; -- nobody asks by value; gathering them would read it all

comment on column ts.t is
  'End of the slot; the row carries it, so a stale row cannot pass for a new one. -infinity: reserved, no slot yet.';
comment on column ts.dp is
  'Values by position; NaN, or past the end, is unknown. Longer than in use, and never shortened.';

-- A few rows, each updated once a slot: their versions stay in the page.
alter table rra_bundle set (fillfactor = 25);
