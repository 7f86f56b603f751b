-- Round-robin archives: one row of ts is one time slot of many series.

create table rra_bundle (
  id      integer generated always as identity primary key,
  policy  text not null,
  cf      text not null check (cf in ('wmean', 'min', 'max', 'last', 'sum')),
  step_ms bigint not null check (step_ms > 0),
  size    integer not null check (size > 0),
  width   integer not null check (width > 0),
  xff     double precision not null check (xff between 0 and 1),
  latest  timestamptz,
  unique (policy, cf, step_ms, size)
);
comment on table rra_bundle is 'One archive of one policy: all its rows share step and size.';
comment on column rra_bundle.step_ms is 'Length of a slot, milliseconds.';
comment on column rra_bundle.size is 'Slots in the archive; index i runs 0..size-1.';
comment on column rra_bundle.width is 'Positions in a segment.';
comment on column rra_bundle.xff is 'Least known share (0..1) for a slot to count.';
comment on column rra_bundle.latest is 'End of the newest slot written; null before the first.';

create table ds (
  id     bigint generated always as identity primary key,
  ident  jsonb not null unique,
  policy text not null,
  seg    integer not null,
  pos    integer not null check (pos > 0),
  valid_from   timestamptz not null,
  unique (policy, seg, pos)
);
comment on table ds is 'One series, and its place: position pos of segment seg of its policy.';
comment on column ds.ident is '{"name": …, "tag": "value"}: the series.';
comment on column ds.seg is 'partition << 16 | n.';
comment on column ds.pos is 'Index into ts.dp, 1..width.';
comment on column ds.valid_from is 'Values at or before this time are not of this series.';

create index ds_ident on ds using gin (ident jsonb_path_ops);
-- The tree of names: untagged series only.
create index ds_name on ds ((ident ->> 'name') text_pattern_ops) where ident - 'name' = '{}';

create table ts (
  rra_bundle_id integer not null references rra_bundle,
  seg           integer not null,
  i             integer not null,
  t             timestamptz not null,
  dp            double precision[] not null,
  primary key (rra_bundle_id, seg, i)
);
comment on table ts is 'One time slot of the series of one segment in one bundle.';
comment on column ts.i is 'Slot index: (t / step) mod size, from the epoch.';
comment on column ts.t is 'End of the slot; the row carries it, so a stale row cannot pass for a new one.';
comment on column ts.dp is 'Values by position; NaN, or past the end, is unknown.';

create function rondo_merge(stored double precision[], news double precision[])
  returns double precision[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(coalesce(nullif(u.n, 'NaN'), u.s, 'NaN') order by u.pos), '{}')
    from unnest(stored, news) with ordinality as u (s, n, pos)
  );
comment on function rondo_merge is 'Known values of news over those of stored, position by position; as long as the longer.';

create view rra as
  select (ds.id << 16) | rra_bundle.id as id,
         ds.id as ds_id,
         rra_bundle.id as rra_bundle_id,
         ds.seg,
         ds.pos
  from ds
  join rra_bundle on rra_bundle.policy = ds.policy;
comment on view rra is 'The archives of each series.';

create view tv as
  select ds.id as ds_id,
         (ds.id << 16) | rra_bundle.id as rra_id,
         rra_bundle.id as rra_bundle_id,
         rra_bundle.step_ms,
         ts.i,
         ts.t,
         nullif(ts.dp[ds.pos], 'NaN') as r
  from ds
  join rra_bundle on rra_bundle.policy = ds.policy
  join ts on ts.rra_bundle_id = rra_bundle.id and ts.seg = ds.seg
  where ts.t > ds.valid_from;
comment on view tv is 'Time and value: t is the slot''s end, r is null where unknown.';
