-- Rows of a segment lie side by side, and each is replaced in its own page (docs/decisions/0008).

-- Each page has room for one more version of a row of 116 values: an update stays in the page and changes no
-- index, and the next one takes the place of what it has left behind.
alter table ts set (
  fillfactor = 87,
  autovacuum_vacuum_insert_threshold = -1, -- rows are made once and replaced ever after: nothing to freeze early
  autovacuum_analyze_scale_factor = 1 -- about once a round: what it counts does not change, and no old version goes meanwhile
);
alter table ts alter column dp set statistics 0; -- nobody asks by value

comment on column ts.t is
  'End of the slot; the row carries it, so a stale row cannot pass for a new one. -infinity: reserved, its slot has not come.';
comment on column ts.dp is
  'Values by position; NaN, or past the end, is unknown. Its length only grows.';

-- A few rows, each updated with every slot: their versions stay in the page too.
alter table rra_bundle set (fillfactor = 25);
