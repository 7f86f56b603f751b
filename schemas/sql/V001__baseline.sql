-- Rondo's tables, from archives to the index for finding series:
--   1. archives:            rra_bundle, ds, location_period, ts, archive_fill, segment_fill, replay_job; the views live_archive, rra and tv
--   2. offsets and events:  applied_offset, event
--   3. other sinks:         bundle_row, series and their triggers
--   4. finding series:      branch, tag_value and the triggers on ds that maintain them
-- Privileges are in roles.sql.


-- 1. Archives. As in RRDtool, an archive holds a fixed number of slots (time intervals) in a ring. One row of ts is one slot of
-- all series of a segment, so that PostgreSQL stores 100 values for the overhead of one row.

create table rra_bundle (
  id        integer generated always as identity primary key,
  policy    text not null,
  cf        text not null check (cf in ('wmean', 'min', 'max', 'last', 'sum')),
  step_ms   bigint not null check (step_ms > 0),
  size      integer not null check (size > 0),
  width     integer not null check (width > 0),
  xff       double precision not null check (xff between 0 and 1),
  whisper   boolean not null default false,
  aggregate text not null default 'wmean' check (aggregate in ('wmean', 'min', 'max', 'last', 'sum')),
  first     timestamptz,
  latest    timestamptz,
  created   timestamptz not null default now(),
  unique (policy, cf, step_ms, size)
) with (fillfactor = 25); -- few rows, each updated with every slot: the new versions fit into the same page
comment on table rra_bundle is 'One archive of one policy. All its rows in ts share step and size.';
comment on column rra_bundle.cf is 'Consolidation function.';
comment on column rra_bundle.step_ms is 'Length of a slot, milliseconds.';
comment on column rra_bundle.size is 'Slots in the archive; the index i runs from 0 to size-1.';
comment on column rra_bundle.width is 'Positions in a segment.';
comment on column rra_bundle.xff is 'Share (0..1) of a slot that must be known for the slot to have a value.';
comment on column rra_bundle.whisper is
  'Whisper mode: answers name a slot by its start, t - step, otherwise by its end, t. ts.t is the end in both.';
comment on column rra_bundle.aggregate is
  'Default function of the policy: Graphite reads and thins its series by it unless a query names another.';
comment on column rra_bundle.first is
  'End of the oldest slot written since the bundle was created, possibly overwritten since; null before the first.';
comment on column rra_bundle.latest is 'End of the newest slot written; null before the first.';
comment on column rra_bundle.created is
  'When the bundle was created: an archive that was added to a policy later is younger than the others.';

create table ds (
  id         bigint generated always as identity primary key,
  ident      jsonb not null unique,
  policy     text not null,
  seg        integer not null,
  pos        integer not null check (pos > 0),
  starts_at  timestamptz not null,
  period     integer not null default 0,
  source     text,
  unique (policy, seg, pos)
);
comment on table ds is 'A series (RRDtool: data source) and its location: position pos of segment seg of its policy.';
comment on column ds.ident is 'The identity of the series: {"name": …, "tag": "value"}.';
comment on column ds.seg is 'Segment: partition << 16 | n.';
comment on column ds.pos is 'Index into ts.dp, 1..width.';
comment on column ds.starts_at is 'Values at or before this time belong to a previous series of the position, not to this one.';
comment on column ds.period is 'Number of the current period in location_period: each move, and each copy of slots for a move, adds one.';
comment on column ds.source is 'Topic of the first point of the series; null: unknown.';

-- With the default of 100 entries, PostgreSQL estimates that an ident in the statistics matches one series in a hundred, and scans
-- all of ts. With 1000 entries it uses the key.
alter table ds alter column ident set statistics 1000;

create index ds_ident on ds using gin (ident jsonb_path_ops); -- ident @> {"tag": "value"}
create index ds_name on ds ((ident ->> 'name') text_pattern_ops) where ident - 'name' = '{}'; -- prefixes of untagged names

-- Triggers on ds maintain this table, whichever sink writes (docs/decisions/0028). It has no foreign key, because that would check each row.
create table location_period (
  ds_id           bigint not null,
  number          integer not null,
  policy          text not null,
  seg             integer not null,
  pos             integer not null,
  fill            text check (fill in ('none', 'open', 'done')),
  starts_at       timestamptz not null,
  ends_at         timestamptz not null default 'infinity',
  reassigned_at   timestamptz not null default 'infinity',
  backfilled      boolean not null default false,
  covered_from    timestamptz not null default 'infinity',
  displaced_ident jsonb,
  renamed_from    jsonb,
  renamed_at      timestamptz,
  primary key (ds_id, number)
);
create index location_period_former on location_period (policy, seg, pos) where ends_at < 'infinity';
create index location_period_unfilled on location_period (policy, seg) where number > 0 and (fill is null or fill = 'open');
create index location_period_displaced on location_period (displaced_ident) where displaced_ident is not null;
create index location_period_renamed on location_period (renamed_from) where renamed_from is not null;
comment on table location_period is
  'Present and past locations of each series. Slots between starts_at and ends_at belong to the series; if two periods have a value for a slot, the later period wins.';
comment on column location_period.number is 'Number of the period; the one with ds.period is the current location.';
comment on column location_period.fill is
  'State of ./rondo policies fill, which copies slots of earlier periods: open or done for a period that it created for them at the same location; none: nothing to copy; null: not examined yet.';
comment on column location_period.starts_at is 'Slots that end at or before it do not belong to this period.';
comment on column location_period.ends_at is
  'When the series moved: slots that begin at or after it do not belong to this period; infinity: it has not moved.';
comment on column location_period.reassigned_at is
  'When another series took the position: slots that end later do not belong to this period; infinity: not taken.';
comment on column location_period.backfilled is
  'Whether a backfill, not a point, created the period or the series.';
comment on column location_period.covered_from is
  'Start of the slots of the same time that a backfill wrote to a later period: their values win; infinity: none.';
comment on column location_period.displaced_ident is
  'Ident of a series that is not in ds because another one has its position: the entry with its next location has not arrived yet.';
comment on column location_period.renamed_from is
  'Ident of the series during the period, if it was renamed since; null: not renamed.';
comment on column location_period.renamed_at is 'When it was renamed; null: not renamed.';

create function rondo_add_locations() returns trigger language plpgsql
  -- Every lookup here has an index: forbid the plans that read a whole table.
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  if exists (select from location_period where ends_at < 'infinity') then
    update location_period as former
    set reassigned_at = taker.starts_at
    from inserted as taker
    where former.policy = taker.policy and former.seg = taker.seg and former.pos = taker.pos
      and former.ends_at < 'infinity' and former.starts_at < taker.starts_at and former.reassigned_at > taker.starts_at
      and (former.displaced_ident is distinct from taker.ident or former.renamed_from is not null);

    with returned as (
      update location_period as period
      set ds_id = series.id, displaced_ident = null, ends_at = least(period.ends_at, series.starts_at)
      from inserted as series
      where period.displaced_ident = series.ident and period.starts_at < series.starts_at
        and exists (
          select from location_period as latest
          where latest.displaced_ident = series.ident and latest.ends_at = '9999-12-31 UTC' and latest.reassigned_at < 'infinity'
        )
      returning period.ds_id, period.number
    )
    update ds set period = latest.number + 1
    from (select ds_id, max(number) as number from returned group by ds_id) as latest
    where ds.id = latest.ds_id;
    delete from location_period where displaced_ident in (select ident from inserted);
  end if;

  insert into location_period (ds_id, number, policy, seg, pos, starts_at)
  select ds.id, ds.period, ds.policy, ds.seg, ds.pos, ds.starts_at from inserted join ds using (id);
  return null;
end
$$;
comment on function rondo_add_locations is
  'Adds a period for each inserted series, after those from before it was displaced. Past periods at its position end for good.';

create function rondo_move_location() returns trigger language plpgsql
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
declare
  most_periods constant integer := 16;
begin
  if (new.policy, new.seg, new.pos) = (old.policy, old.seg, old.pos)
    and not exists (select from location_period where ds_id = new.id and number = old.period and renamed_from is not null) then
    delete from location_period where ds_id = new.id and starts_at >= new.starts_at and number < new.period;
    update location_period set starts_at = new.starts_at where ds_id = new.id and number = new.period;
    update location_period set ends_at = new.starts_at
    where ds_id = new.id and ends_at > new.starts_at
      and (renamed_from is not null or backfilled and (policy, seg, pos) = (new.policy, new.seg, new.pos));
  else
    new.period := old.period + 1;
    delete from location_period where ds_id = new.id and starts_at >= new.starts_at;
    update location_period set ends_at = new.starts_at where ds_id = new.id and ends_at > new.starts_at;
    insert into location_period (ds_id, number, policy, seg, pos, starts_at)
    values (new.id, new.period, new.policy, new.seg, new.pos, new.starts_at);
    delete from location_period
    where ds_id = new.id
      and number in (select number from location_period where ds_id = new.id order by number desc offset most_periods);
  end if;

  update location_period
  set reassigned_at = new.starts_at
  where policy = new.policy and seg = new.seg and pos = new.pos
    and ends_at < 'infinity' and starts_at < new.starts_at and reassigned_at > new.starts_at
    and (ds_id <> new.id or renamed_from is not null);
  return new;
end
$$;
comment on function rondo_move_location is
  'Ends the period of a series that changes its location, and adds the next one. Deletes periods that would begin after it, and all but the newest.';

create function rondo_leave_locations() returns trigger language plpgsql
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  if tg_op = 'TRUNCATE' then
    truncate location_period;
  else
    update location_period as period
    set displaced_ident = deleted.ident, ends_at = least(period.ends_at, '9999-12-31 UTC') -- before its next period, whose start is unknown
    from deleted
    where period.ds_id = deleted.id;
  end if;
  return null;
end
$$;
comment on function rondo_leave_locations is
  'Keeps the periods of series deleted from ds under their idents, for series that return after another one displaced them.';

create function rondo_rename_series(old_ident jsonb, old_starts_at timestamptz, new_ident jsonb, at timestamptz)
  returns void language plpgsql
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
declare
  most_periods constant integer := 16;
  old_id     bigint;
  new_id     bigint;
  found_new  boolean; -- in ds
  target     jsonb := new_ident;
  oldest     record;
  inherited  integer;
begin
  select id into old_id from ds where ident = old_ident and starts_at <= old_starts_at for update;
  if not found then
    select ds_id into old_id from location_period where displaced_ident = old_ident group by ds_id having max(starts_at) <= old_starts_at;
    if not found then
      return; -- already applied
    end if;
  end if;

  -- The new series may have been renamed again, at a later time.
  select coalesce(period.displaced_ident, ds.ident) into target
  from location_period as period left join ds on ds.id = period.ds_id
  where period.renamed_from = new_ident and period.renamed_at > at and period.ds_id <> old_id
  order by period.renamed_at limit 1;
  target := coalesce(target, new_ident);

  perform from location_period where displaced_ident = target for update; -- another sink may be inserting the series
  select id into new_id from ds where ident = target for update;
  found_new := found;
  if not found_new then
    select ds_id into new_id from location_period where displaced_ident = target limit 1;
  end if;

  -- Delete periods that were already moved: the entries of the old series were read again.
  delete from location_period as again using location_period as same
  where again.ds_id = case when found_new then old_id else new_id end
    and same.ds_id = case when found_new then new_id else old_id end
    and (same.policy, same.seg, same.pos, same.starts_at) = (again.policy, again.seg, again.pos, again.starts_at);

  update location_period set renamed_from = coalesce(renamed_from, old_ident), renamed_at = coalesce(renamed_at, at)
  where ds_id = old_id;

  if not found_new and exists (select from location_period where ds_id = new_id)
    and not exists (select from location_period where ds_id = new_id and renamed_from is null) then
    -- The new series was displaced before it had points, and the entries of the old one are read again: its periods precede theirs.
    delete from location_period
    where ds_id = new_id and starts_at >= (select min(starts_at) from location_period where ds_id = old_id);
    update location_period as own set ds_id = old_id, number = -numbered.n, displaced_ident = null
    from (select ds_id, number, row_number() over (order by starts_at) as n from location_period where ds_id in (old_id, new_id)) as numbered
    where own.ds_id = numbered.ds_id and own.number = numbered.number;
    update location_period set number = -1 - number where ds_id = old_id;
    update ds set period = (select max(number) from location_period where ds_id = old_id) where id = old_id;
    delete from location_period
    where ds_id = old_id
      and number in (select number from location_period where ds_id = old_id order by number desc offset most_periods);
  end if;

  select min(number) as number, min(starts_at) as starts_at into oldest from location_period where ds_id = new_id;
  if oldest.number is null then
    -- The new series has this location until its first entry. The ident of an id never changes (docs/decisions/0023).
    update ds set id = default, ident = target where id = old_id returning id into new_id;
    if found then
      update location_period set ds_id = new_id where ds_id = old_id;
    else
      update location_period set displaced_ident = target where ds_id = old_id;
    end if;
    return;
  end if;

  delete from location_period where ds_id = old_id and starts_at >= oldest.starts_at;
  select count(*) into inherited from location_period where ds_id = old_id;
  update location_period set number = -1 - number where ds_id in (old_id, new_id);
  update location_period set number = inherited - 1 - number where ds_id = new_id;
  update location_period as given
  set ds_id = new_id, number = oldest.number + numbered.n - 1, displaced_ident = case when not found_new then target end,
      ends_at = least(given.ends_at, oldest.starts_at)
  from (select number, row_number() over (order by number desc) as n from location_period where ds_id = old_id) as numbered
  where given.ds_id = old_id and given.number = numbered.number;
  delete from location_period
  where ds_id = new_id
    and number in (select number from location_period where ds_id = new_id order by number desc offset most_periods);
  update ds set period = period + inherited where id = new_id;
  delete from ds where id = old_id;
end
$$;
comment on function rondo_rename_series is
  'Puts the periods of a series before those of another. If the other does not exist yet, the series gets its ident and a new id.';

-- The triggers run as the owner of the tables: roles that write ds need no rights on location_period.
do $$
declare
  maintaining text;
begin
  foreach maintaining in array array['rondo_add_locations', 'rondo_move_location', 'rondo_leave_locations'] loop
    execute format('alter function %I() security definer set search_path = %I, pg_temp', maintaining, current_schema());
  end loop;
  execute format('alter function rondo_rename_series security definer set search_path = %I, pg_temp', current_schema());
  revoke execute on function rondo_rename_series from public;
end
$$;

create trigger add_locations after insert on ds referencing new table as inserted
  for each statement execute function rondo_add_locations();
create trigger move_location before update of policy, seg, pos, starts_at on ds for each row
  when ((old.policy, old.seg, old.pos, old.starts_at) is distinct from (new.policy, new.seg, new.pos, new.starts_at))
  execute function rondo_move_location();
create trigger leave_locations after delete on ds referencing old table as deleted
  for each statement execute function rondo_leave_locations();
create trigger truncate_locations after truncate on ds for each statement execute function rondo_leave_locations();

create table ts (
  rra_bundle_id integer not null references rra_bundle,
  seg           integer not null,
  i             integer not null,
  t             timestamptz not null,
  dp            double precision[] not null,
  primary key (rra_bundle_id, seg, i)
) with (
  -- A page has room for one more version of a row of 116 values: an update stays in the page and changes no index, and the next
  -- update reuses the space of the old version (docs/decisions/0008).
  fillfactor = 87,
  autovacuum_vacuum_insert_threshold = -1, -- rows are inserted once and then only replaced: nothing to freeze early
  autovacuum_analyze_scale_factor = 1 -- about once a round: the statistics do not change, and analyze delays the removal of old versions
);
alter table ts alter column dp set statistics 0; -- no query filters by value
comment on table ts is 'One slot of the series of one segment in one bundle.';
comment on column ts.i is 'Slot index: (t / step) mod size, from the epoch.';
comment on column ts.t is
  'End of the slot, which distinguishes a new row from one of an earlier round. -infinity: preallocated, not written yet.';
comment on column ts.dp is 'Values by position; NaN, or past the end, is unknown. The length only grows.';

-- Progress of filling new archives from finer ones (docs/decisions/0030). No foreign keys: the next pass deletes a fill whose
-- archive no longer exists.
create table archive_fill (
  rra_bundle_id integer primary key,
  until         timestamptz not null,
  first         timestamptz,
  slots         bigint not null default 0,
  started       timestamptz not null default now(),
  progressed    timestamptz not null default now(),
  finished      timestamptz
);
comment on table archive_fill is 'A running or finished fill of an archive with slots before those of points.';
comment on column archive_fill.until is 'End of the first slot with points: earlier slots are filled.';
comment on column archive_fill.first is 'End of the oldest slot filled; null before the first.';
comment on column archive_fill.slots is 'Rows written to ts.';
comment on column archive_fill.progressed is 'When the fill of any segment last made progress.';
comment on column archive_fill.finished is 'When all segments were filled; null before.';

create table segment_fill (
  rra_bundle_id integer not null,
  seg           integer not null,
  filled_to     timestamptz not null default '-infinity',
  finished      boolean not null default false,
  primary key (rra_bundle_id, seg)
) with (fillfactor = 50);
comment on table segment_fill is 'Progress of archive_fill in one segment. Deleted when the whole archive is filled.';
comment on column segment_fill.filled_to is 'Slots that end at or before it are filled.';

create table replay_job (
  id         text primary key,
  state      text not null check (state in ('waiting', 'reading', 'writing', 'clearing', 'paused')),
  records    bigint not null,
  read       bigint not null,
  started    timestamptz not null default now(),
  progressed timestamptz not null default now()
);
comment on table replay_job is 'A live replay or backfill in progress, as its process reports it (docs/decisions/0050).';
comment on column replay_job.records is 'Records to read.';
comment on column replay_job.read is 'Records read so far.';
comment on column replay_job.progressed is 'When it last made progress, was paused or resumed.';

create function rondo_merge(stored double precision[], incoming double precision[])
  returns double precision[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(coalesce(nullif(u.n, 'NaN'), u.s, 'NaN') order by u.pos), '{}')
    from unnest(stored, incoming) with ordinality as u (s, n, pos)
  );
comment on function rondo_merge is
  'The known values of incoming, and those of stored where incoming has none, position by position; as long as the longer array.';

-- An archive that its policy no longer has falls behind the others by more than two of its slots and a minute, or behind one of the
-- same function and step by more than two slots.
create view live_archive as
  select b.id
  from rra_bundle as b
  where exists (select from ds where ds.policy = b.policy)
    and not exists (
      select from rra_bundle as other
      where other.policy = b.policy
        and (other.latest - other.step_ms * interval '1 ms' > b.latest + 2 * b.step_ms * interval '1 ms' + interval '1 minute'
             or (other.cf = b.cf and other.step_ms = b.step_ms and other.latest > b.latest + 2 * b.step_ms * interval '1 ms'))
    );
comment on view live_archive is 'Archives that receive slots: archives of current policies that have series.';

create view rra as
  select (ds.id << 16) | rra_bundle.id as id,
         ds.id as ds_id,
         rra_bundle.id as rra_bundle_id,
         ds.seg,
         ds.pos
  from ds
  join rra_bundle on rra_bundle.policy = ds.policy;
comment on view rra is 'The archives of each series at its current location.';

-- starts_at is compared in the select list: it differs from series to series, and as a condition between the tables it would keep
-- PostgreSQL from reading the rows of a segment once for all its series (docs/decisions/0012). ends_at and reassigned_at are the same for
-- all series that have not moved. Both locations can have a value in the slot of a move, and where a backfill wrote to a period that
-- overlaps past ones.
create view tv as
  select period.ds_id,
         (period.ds_id << 16) | rra_bundle.id as rra_id,
         rra_bundle.id as rra_bundle_id,
         rra_bundle.step_ms,
         ts.i,
         ts.t,
         case
           when ts.t <= period.starts_at then null
           when ts.t > least(period.ends_at, period.covered_from) and exists (
             select
             from location_period as later
             join rra_bundle as other
               on other.policy = later.policy and other.cf = rra_bundle.cf and other.step_ms = rra_bundle.step_ms
             join ts as newer
               on newer.rra_bundle_id = other.id and newer.seg = later.seg
              and newer.i = (extract(epoch from ts.t) * 1000)::bigint / other.step_ms % other.size
             where later.ds_id = period.ds_id and later.number > period.number
               and newer.t = ts.t and newer.t > later.starts_at and newer.t <= later.reassigned_at
               and newer.t < later.ends_at + other.step_ms * interval '1 ms' and nullif(newer.dp[later.pos], 'NaN') is not null
           ) then null
           else nullif(ts.dp[period.pos], 'NaN')
         end as r
  from location_period as period
  join rra_bundle on rra_bundle.policy = period.policy
  join ts on ts.rra_bundle_id = rra_bundle.id and ts.seg = period.seg
  where period.displaced_ident is null
    and ts.t > '-infinity'
    and ts.t < period.ends_at + rra_bundle.step_ms * interval '1 ms'
    and ts.t <= period.reassigned_at;
comment on view tv is
  'Slots of each series, in all archives of its present and past locations: t is the end of the slot, r its value. r is null where unknown, and at or before starts_at.';


-- 2. Offsets and events.

-- The sink stores its offsets here, in the transaction that applies the records. It resumes from them, and a sink that is behind
-- them (a worker that was frozen and replaced) writes nothing (docs/decisions/0018).
create table applied_offset (
  topic       text not null,
  topic_id    uuid not null,
  partition   integer not null,
  next_offset bigint not null,
  primary key (topic, topic_id, partition)
) with (fillfactor = 20); -- each put updates these rows: the new versions fit into the same page
comment on table applied_offset is
  'Offsets of the PostgreSQL sink. To make it start at the offset of its consumer group, stop it and delete the row of the partition.';
comment on column applied_offset.topic_id is
  'Kafka''s id of the topic, so that a topic that was deleted and created again counts as another one; zeros if the sink has no kafka.bootstrap.servers.';
comment on column applied_offset.next_offset is 'All records before this offset are applied.';

create table event (
  id   bigint primary key default floor(random() * 9007199254740992),
  t    timestamptz not null,
  what text not null,
  tags text[] not null,
  data text not null,
  origin text unique,
  created timestamptz not null default clock_timestamp()
);
create index event_t on event (t, created, id);
comment on table event is
  'Graphite''s events: deployments, alerts and the like. POST /events of the query API and the sink write them, /events/get_data and events() read them.';
comment on column event.id is
  'Random, so that no restore gives it to another event; below 2^53, because JSON parsers keep it exactly.';
comment on column event.created is 'When it was stored: the order of events with the same time, as in Graphite.';
comment on column event.origin is
  'Origin of the event in Kafka, so that it is stored once: topic-partition@offset#n@time of the record; null: received by HTTP.';

-- Logical replication copies rows, not sequences, which would then return ids that are taken.
create function rondo_advance_ids() returns setof text language plpgsql as $$
declare
  taken record;
  sequence regclass;
begin
  for taken in
    select 'ds' as table_name, greatest((select max(id) from ds), (select max(ds_id) from location_period)) as highest
    union all select 'rra_bundle', (select max(id) from rra_bundle)
  loop
    if taken.highest is not null then
      sequence := pg_get_serial_sequence(taken.table_name, 'id');
      if nextval(sequence) <= taken.highest then
        perform setval(sequence, taken.highest);
        return next taken.table_name;
      end if;
    end if;
  end loop;
end
$$;
comment on function rondo_advance_ids is
  'Advances the sequences of ds and rra_bundle beyond the highest id, including those of series whose periods are kept. Returns the tables whose sequence was too low.';

-- Runs as the owner of the sequences, because sinks can only insert.
do $$
begin
  execute format('alter function rondo_advance_ids() security definer set search_path = %I, pg_temp', current_schema());
  revoke execute on function rondo_advance_ids from public;
end
$$;


-- 3. Other sinks. A JDBC sink that knows nothing of archives upserts records into bundle_row and series. Triggers store them in
-- the tables above as Rondo's own sink does (docs/decisions/0011).

create table bundle_row (
  policy    text not null,
  cf        text not null,
  step_ms   bigint not null,
  size      integer not null,
  seg       integer not null,
  i         integer not null,
  width     integer not null,
  xff       double precision not null,
  whisper   boolean not null default false,
  aggregate text not null default 'wmean',
  t         bigint not null,
  dp        double precision[] not null,
  primary key (policy, cf, step_ms, size, seg, i)
);
comment on table bundle_row is 'Takes records of rondo.bundle-rows by upsert. Always empty: the trigger stores each record in rra_bundle and ts.';
comment on column bundle_row.t is 'End of the slot, epoch milliseconds.';
comment on column bundle_row.dp is 'Incoming values by position; NaN, null, or past the end: no value.';

create function rondo_store_bundle_row() returns trigger language plpgsql as $$
declare
  bundle   rra_bundle;
  slot_end timestamptz := timestamptz 'epoch' + new.t * interval '1 ms';
  incoming double precision[] := array_replace(new.dp, null, 'NaN');
  capacity integer := 8; -- length of the arrays of new rows: 8, 16, 32 …, so that a row seldom outgrows its page
  chunk    constant integer := 28; -- rows that are inserted together, to be stored side by side
  begins   integer := new.i / chunk * chunk;
begin
  if new.i < 0 or new.i >= new.size then
    raise 'i % is outside 0..size-1, size %', new.i, new.size using errcode = 'invalid_parameter_value';
  elsif cardinality(incoming) > new.width then
    raise 'dp has % values, width is %', cardinality(incoming), new.width using errcode = 'invalid_parameter_value';
  end if;

  -- Find the bundle or insert it. Select first: an insert with a conflict uses up an id.
  loop
    select * into bundle from rra_bundle
    where policy = new.policy and cf = new.cf and step_ms = new.step_ms and size = new.size;
    exit when found;
    insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, aggregate)
    values (new.policy, new.cf, new.step_ms, new.size, new.width, new.xff, new.whisper, new.aggregate)
    on conflict (policy, cf, step_ms, size) do nothing;
  end loop;
  if bundle.width < new.width
    or (bundle.xff, bundle.whisper, bundle.aggregate) <> (new.xff, new.whisper, new.aggregate) and slot_end >= coalesce(bundle.latest, slot_end) then
    update rra_bundle
    set width = greatest(width, new.width), xff = new.xff, whisper = new.whisper, aggregate = new.aggregate
    where id = bundle.id;
  end if;

  -- Preallocate the chunk of rows, then write the slot into its row.
  if not exists (select from ts where rra_bundle_id = bundle.id and seg = new.seg and i = new.i) then
    while capacity < cardinality(incoming) loop
      capacity := capacity * 2;
    end loop;
    insert into ts (rra_bundle_id, seg, i, t, dp)
    select bundle.id, new.seg, slot, '-infinity', array_fill(double precision 'NaN', array[least(capacity, new.width)])
    from generate_series(begins, least(begins + chunk, new.size) - 1) as slot
    on conflict do nothing;
  end if;
  update ts
  set t = slot_end,
      dp = case when t = slot_end then rondo_merge(dp, incoming)
                else incoming || array_fill(double precision 'NaN', array[greatest(cardinality(dp) - cardinality(incoming), 0)]) end
  where rra_bundle_id = bundle.id and seg = new.seg and i = new.i and t <= slot_end;

  if bundle.latest is null or slot_end not between bundle.first and bundle.latest then
    -- All tasks update this row, in no fixed order: waiting for it would cause deadlocks. Skip it if it is locked: the
    -- transaction that holds it is raising latest, and first is only missed if no older slot follows.
    update rra_bundle set first = least(first, slot_end), latest = greatest(latest, slot_end)
    where id = (select id from rra_bundle
                where id = bundle.id and (latest is null or slot_end not between first and latest)
                for no key update skip locked);
  end if;
  return null;
end
$$;
comment on function rondo_store_bundle_row is
  'Stores a slot. Same t as stored: merges known values; newer t: replaces the row; older t: ignored. Inserts the bundle if it is missing.';

create trigger store before insert on bundle_row for each row execute function rondo_store_bundle_row();

create function rondo_ident(canonical text) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  name text := split_part(canonical, ';', 1);
  tags jsonb;
  wrong text;
begin
  select jsonb_object_agg(key, value), min(tag) filter (where key in ('', 'name') or strpos(tag, '=') = 0 or nth > 1)
  into tags, wrong
  from (
    select tag, key, substr(tag, length(key) + 2) as value, row_number() over (partition by key) as nth
    from unnest((string_to_array(canonical, ';'))[2:]) as tag, split_part(tag, '=', 1) as key
  ) as part;
  if name = '' then
    raise 'ident has no name: ''%''', canonical using errcode = 'invalid_parameter_value';
  elsif wrong is not null then
    raise '''%'' is not a tag k=v, or occurs twice, in ident ''%''', wrong, canonical
      using errcode = 'invalid_parameter_value';
  end if;
  return jsonb_build_object('name', name) || coalesce(tags, '{}');
end
$$;
comment on function rondo_ident is 'Converts the canonical text name;k=v;k2=v2 to the form of ds.ident.';

create table series (
  ident      text primary key,
  policy     text,
  seg        integer,
  pos        integer,
  starts_at bigint,
  source     text,
  renamed_to text,
  renamed_at bigint
);
comment on table series is
  'Takes records of rondo.series: upserts, and deletes for tombstones. The trigger stores each in ds; only the ident stays here, so that a delete finds a row.';
comment on column series.starts_at is 'Epoch milliseconds.';

create function rondo_store_series() returns trigger language plpgsql as $$
declare
  document        jsonb := rondo_ident(new.ident);
  starts_at_time timestamptz := timestamptz 'epoch' + new.starts_at * interval '1 ms';
begin
  if new.renamed_to <> '' then
    perform rondo_rename_series(
      document, starts_at_time, rondo_ident(new.renamed_to), timestamptz 'epoch' + new.renamed_at * interval '1 ms');
    insert into series (ident) values (new.renamed_to) on conflict (ident) do nothing; -- its own entry can arrive later, or never
    return null;
  end if;

  delete from ds
  where policy = new.policy and seg = new.seg and pos = new.pos and ident <> document and starts_at <= starts_at_time;

  insert into ds (ident, policy, seg, pos, starts_at, source)
  select document, new.policy, new.seg, new.pos, starts_at_time, nullif(new.source, '')
  where not exists (
    select from ds where policy = new.policy and seg = new.seg and pos = new.pos and ident <> document)
  on conflict (ident) do update
    set policy = excluded.policy, seg = excluded.seg, pos = excluded.pos, starts_at = excluded.starts_at, source = excluded.source;
  if not found then -- stale: the position belongs to a series with a later starts_at
    delete from ds
    where ident = document and starts_at <= starts_at_time and (policy, seg, pos) <> (new.policy, new.seg, new.pos);
  end if;

  insert into series (ident) values (new.ident) on conflict (ident) do nothing;
  return null;
end
$$;
comment on function rondo_store_series is
  'Stores the location of a series. Deletes the previous series of the position, unless its starts_at is later.';

create trigger store before insert on series for each row
  when (num_nonnulls(new.policy, new.seg, new.pos, new.starts_at) > 0) execute function rondo_store_series();

create function rondo_retire_series() returns trigger language plpgsql as $$
begin
  delete from ds where ident = rondo_ident(old.ident);
  delete from location_period where displaced_ident = rondo_ident(old.ident);
  return old;
end
$$;
comment on function rondo_retire_series is 'Deletes the series from ds, with its history. Its values stay in ts, where no query shows them.';

create trigger retire before delete on series for each row execute function rondo_retire_series();


-- 4. Finding series, at hundreds of thousands of them: the branches of the tree of untagged names and the values of each tag
-- (docs/decisions/0015). Triggers on ds maintain both tables. A statement that writes ds never waits here for another one, and
-- writes nothing for a series that adds no new branch, tag or value.

create function rondo_parent(path text) returns text
  language sql immutable strict parallel safe
  return left(path || '.', -1 - length(split_part(path, '.', -1)));
comment on function rondo_parent is 'The path without its last node, with the dot: a.b. for a.b.c, nothing for a.';

create index ds_parent on ds (rondo_parent(ident ->> 'name') text_pattern_ops) where ident - 'name' = '{}'; -- leaves of a branch

create table branch (
  parent      text collate "C" not null,
  node        text collate "C" not null,
  unconfirmed boolean not null default false
);
create index branch_parent_node on branch (parent, node);
create index branch_unconfirmed on branch (parent, node) where unconfirmed;
comment on table branch is
  'Branches of the tree of untagged names: there are names below parent || node || ''.''. A branch may have more than one row.';
comment on column branch.parent is 'Path of the branch above with its dot; empty at the top.';
comment on column branch.unconfirmed is
  'The branch may no longer have names below it, regardless of its other rows: check with rondo_is_branch.';

create table tag_value (
  tag         text collate "C" not null,
  value       text collate "C" not null,
  unconfirmed boolean not null default false
);
create index tag_value_tag_value on tag_value (tag, value);
create index tag_value_unconfirmed on tag_value (tag, value) where unconfirmed;
comment on table tag_value is 'Values of each tag of the tagged series; the name is one of the tags. A value may have more than one row.';
comment on column tag_value.unconfirmed is
  'The value may no longer have series, regardless of its other rows: check with rondo_is_tag_value.';

create function rondo_is_branch(parent text, node text) returns boolean
  language sql stable parallel safe
  return exists (
    select from ds
    where ident ->> 'name' ~>=~ (parent || node || '.')
      and ident ->> 'name' ~<~ (parent || node || '/')
      and ident - 'name' = '{}'
  );
comment on function rondo_is_branch is 'Whether there are names below the branch. The range ends at /, the character after the dot.';

-- The query API disables bitmap scans in its sessions, but only a bitmap scan can read the gin index on idents.
create function rondo_is_tag_value(tag text, value text) returns boolean
  language sql stable parallel safe
  set enable_bitmapscan = on
  return exists (select from ds where ident @> jsonb_build_object(tag, value) and ident - 'name' <> '{}');
comment on function rondo_is_tag_value is 'Whether a tagged series has this value of the tag.';

-- Each ident is examined once here: it yields its branch, or null if it is tagged. "offset 0" keeps PostgreSQL from inlining the
-- subquery and evaluating its expressions again for each column.
create function rondo_parent_branches(idents jsonb[]) returns table (path text, parent text, node text)
  language sql stable parallel safe
  begin atomic
    select path, left(path, -1 - length(node)), node
    from (
      select path, split_part(path, '.', -2) as node
      from (
        select distinct case when ident - 'name' = '{}' then rondo_parent(ident ->> 'name') end collate "C" as path
        from unnest(idents) as ident
        offset 0
      ) as each
      where path is distinct from ''
      offset 0
    ) as nearest;
  end;
comment on function rondo_parent_branches is
  'The branches that these series are directly below, each once; one row of nulls if some of them are tagged.';

create function rondo_ancestor_branches(paths text[]) returns table (parent text, node text)
  language sql stable parallel safe
  begin atomic
    with recursive above (path, parent) as (
      select path, rondo_parent(left(path, -1)) from unnest(paths) as path where path is not null
      union
      select parent, rondo_parent(left(parent, -1)) from above where parent <> ''
    )
    select parent, substr(path, length(parent) + 1, length(path) - length(parent) - 1) from above;
  end;
comment on function rondo_ancestor_branches is 'These branches and all branches above them, each once; nulls are skipped.';

create function rondo_tag_values(idents jsonb[]) returns table (tag text, value text)
  language sql stable parallel safe
  begin atomic
    select distinct pair.key collate "C", pair.value collate "C"
    from unnest(idents) as ident cross join jsonb_each_text(ident) as pair
    where ident - 'name' <> '{}';
  end;
comment on function rondo_tag_values is 'Each tag and value of the tagged series among these, once.';

-- Inserts take a shared advisory lock, so a concurrent delete cannot remove rows that an insert has already checked. An insert that
-- fails to get the lock does not rely on rows that are there: it inserts all of its own as unconfirmed, and the next delete
-- reduces them to one row each. This needs READ COMMITTED: each statement must see what was committed before the lock was taken.
create function rondo_find_index_insert(idents jsonb[]) returns void language plpgsql as $$
declare
  has_lock boolean := pg_try_advisory_xact_lock_shared('branch'::regclass::oid::bigint);
  tagged boolean;
begin
  with nearest as materialized (select path, parent, node from rondo_parent_branches(idents)),
  added as (
    insert into branch (parent, node, unconfirmed)
    select candidate.parent, candidate.node, not has_lock
    from rondo_ancestor_branches(array(
      select nearest.path
      from nearest
      where not has_lock -- where a branch has a row, all branches above it have one
         or (select true from branch as b where b.parent = nearest.parent and b.node = nearest.node limit 1) is null
    )) as candidate
    where not has_lock
       or (select true from branch as b where b.parent = candidate.parent and b.node = candidate.node limit 1) is null
  )
  select exists (select from nearest where path is null) into tagged;

  if tagged then
    insert into tag_value (tag, value, unconfirmed)
    select candidate.tag, candidate.value, not has_lock
    from rondo_tag_values(idents) as candidate
    where not has_lock
       or (select true from tag_value as t where t.tag = candidate.tag and t.value = candidate.value limit 1) is null;
  end if;
end
$$;
comment on function rondo_find_index_insert is 'Adds the branches, tags and values of series that were inserted into ds.';

-- A delete marks the branches, tags and values of its series as unconfirmed. If it gets the exclusive advisory lock, so that no
-- insert or other delete is running, it replaces unconfirmed rows that still have series by one row each, and removes the others.
-- Without the lock, the marks stay, and readers check.
create function rondo_find_index_delete(idents jsonb[]) returns void language plpgsql as $$
declare
  has_lock boolean := pg_try_advisory_xact_lock('branch'::regclass::oid::bigint);
begin
  insert into branch (parent, node, unconfirmed)
  select parent, node, true from rondo_ancestor_branches(array(select path from rondo_parent_branches(idents)));
  insert into tag_value (tag, value, unconfirmed) select tag, value, true from rondo_tag_values(idents);
  if not has_lock then
    return;
  end if;
  with removed as (
    delete from branch as b using (select distinct parent, node from branch where unconfirmed) as d
    where b.parent = d.parent and b.node = d.node
    returning b.parent, b.node
  )
  insert into branch (parent, node)
  select distinct parent, node from removed where rondo_is_branch(parent, node);
  with removed as (
    delete from tag_value as t using (select distinct tag, value from tag_value where unconfirmed) as d
    where t.tag = d.tag and t.value = d.value
    returning t.tag, t.value
  )
  insert into tag_value (tag, value)
  select tag, value from (select distinct tag, value from removed offset 0) as each where rondo_is_tag_value(tag, value);
end
$$;
comment on function rondo_find_index_delete is 'Removes branches, tags and values without series, after these series were deleted from ds.';

create function rondo_maintain_find_index() returns trigger language plpgsql
  -- Every lookup here has an index: forbid the plans that read a whole table.
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  case tg_op
    when 'INSERT' then
      if exists (select from inserted) then
        perform rondo_find_index_insert((select array_agg(ident) from inserted));
      end if;
    when 'DELETE' then
      if exists (select from deleted) then
        perform rondo_find_index_delete((select array_agg(ident) from deleted));
      end if;
    when 'UPDATE' then
      perform rondo_find_index_insert(array[new.ident]), rondo_find_index_delete(array[old.ident]);
    when 'TRUNCATE' then
      truncate branch, tag_value;
  end case;
  return null;
end
$$;
comment on function rondo_maintain_find_index is 'Maintains branch and tag_value after each change of ds.';

-- The trigger runs as the owner of the tables: roles that write ds need no rights on branch and tag_value.
do $$
begin
  execute format('alter function rondo_maintain_find_index() security definer set search_path = %I, pg_temp', current_schema());
end
$$;

create trigger find_index_insert after insert on ds referencing new table as inserted
  for each statement execute function rondo_maintain_find_index();
create trigger find_index_delete after delete on ds referencing old table as deleted
  for each statement execute function rondo_maintain_find_index();
create trigger find_index_update after update of ident on ds for each row
  when (old.ident <> new.ident) execute function rondo_maintain_find_index();
create trigger find_index_truncate after truncate on ds for each statement execute function rondo_maintain_find_index();
