-- Five roles without login: rondo_writer for sinks, rondo_reader for the query API and human users, rondo_event_writer for a query
-- API that also stores events (in addition to rondo_reader), rondo_pruner for ./rondo policies prune, and rondo_filler for
-- ./rondo policies fill and backfills. Each has only the privileges that it needs.
-- Run this file after the migrations, in the schema of Rondo's tables, as their owner, and again after each upgrade; running it again is
-- harmless. It creates missing roles, and needs CREATEROLE only for that. Then, for each program:
--   create role sink login password '...' in role rondo_writer;
-- If the first two roles exist and the user lacks CREATEROLE, it skips the others until they exist.

do $$
declare
  rondo text := current_schema();
  later text;
begin
  if to_regclass('applied_offset') is null then
    raise exception 'schema % lacks Rondo''s tables: run the migrations (schemas/sql) first', rondo
      using errcode = 'undefined_table';
  end if;
  if not exists (select from pg_roles where rolname = 'rondo_writer') then
    create role rondo_writer;
  end if;
  if not exists (select from pg_roles where rolname = 'rondo_reader') then
    create role rondo_reader;
  end if;

  if (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) then
    foreach later in array array['rondo_event_writer', 'rondo_pruner', 'rondo_filler'] loop
      if not exists (select from pg_roles where rolname = later) then
        execute format('create role %I', later);
      end if;
    end loop;
  end if;

  -- Sinks delete series, but neither rows nor bundles, and truncate nothing. The last two tables are for other sinks.
  grant select, insert, update on ts, rra_bundle to rondo_writer;
  grant select, insert, update, delete on ds to rondo_writer;
  grant select, delete on location_period to rondo_writer;
  grant execute on function rondo_rename_series, rondo_advance_ids to rondo_writer;
  grant select, insert, update on bundle_row to rondo_writer;
  grant select, insert, update, delete on series to rondo_writer;
  grant select, insert, delete on event to rondo_writer; -- it deletes old ones

  -- The offsets of the sink; deleted to make it start elsewhere.
  grant select, insert, update, delete on applied_offset to rondo_writer;

  -- People query tv, which hides stale and preallocated rows of ts; the query API reads ts by the same rules (docs/decisions/0016).
  -- The query API also shows how far the sink, fills and replays are.
  grant select
    on ds, location_period, rra_bundle, ts, live_archive, rra, tv, branch, tag_value, event, archive_fill, segment_fill, replay_job, applied_offset
    to rondo_reader;

  execute format('grant usage on schema %I to rondo_writer, rondo_reader', rondo);
  if has_schema_privilege('rondo_reader', rondo, 'create') then -- as in databases created before PostgreSQL 15
    execute format('revoke create on schema %I from public', rondo);
  end if;

  if exists (select from pg_roles where rolname = 'rondo_event_writer') then
    grant select, insert, delete on event to rondo_event_writer; -- it deletes old ones
    execute format('grant usage on schema %I to rondo_event_writer', rondo);
  end if;

  -- It deletes rows that are out of reach by their time and location, and updates none.
  if exists (select from pg_roles where rolname = 'rondo_pruner') then
    grant select, delete on ts, rra_bundle, location_period to rondo_pruner;
    grant select (id, policy, seg, period) on ds to rondo_pruner;
    grant select on live_archive to rondo_pruner;
    execute format('grant usage on schema %I to rondo_pruner', rondo);
  end if;

  -- It writes slots, also of empty archives, updates the start of archives and series, stores its progress, and waits until the
  -- sink has applied what a job replays.
  if exists (select from pg_roles where rolname = 'rondo_filler') then
    grant select on ds, location_period, rra_bundle, ts, live_archive, applied_offset to rondo_filler;
    grant insert, update on ts to rondo_filler;
    grant insert, update (first, latest, width) on rra_bundle to rondo_filler;
    grant insert, update on location_period to rondo_filler;
    grant update (period) on ds to rondo_filler;
    grant select, insert, update, delete on archive_fill, segment_fill, replay_job to rondo_filler;
    execute format('grant usage on schema %I to rondo_filler', rondo);
  end if;
end
$$;
