-- Three roles without a login: rondo_writer for sinks, rondo_reader for the query API and for people, rondo_event_writer for a query API
-- that may store events, beside rondo_reader. Each may do what it needs and no more.
-- Run it after the migrations, in the schema of Rondo's tables, as their owner; again after each upgrade, and as often as you like. It makes
-- the roles where they are missing, and needs CREATEROLE only then. Then, for each program:
--   create role sink login password '...' in role rondo_writer;
-- A user without CREATEROLE, who runs it where the first two roles are, does without the third until somebody makes it.

do $$
declare
  rondo text := current_schema();
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

  if not exists (select from pg_roles where rolname = 'rondo_event_writer')
      and (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) then
    create role rondo_event_writer;
  end if;

  -- Tables of sinks: neither deletes rows nor bundles, nobody truncates. The last two are for sinks of others.
  grant select, insert, update on ts, rra_bundle to rondo_writer;
  grant select, insert, update, delete on ds to rondo_writer;
  grant select, insert, update on bundle_row to rondo_writer;
  grant select, insert, update, delete on series to rondo_writer;

  -- What is applied; deleted when somebody has the sink begin elsewhere.
  grant select, insert, update, delete on applied_offset to rondo_writer;

  -- People ask tv, which shows what of ts is true; the query API reads ts itself by the same rules (docs/decisions/0016).
  grant select on ds, rra_bundle, ts, rra, tv, branch, tag_value, event to rondo_reader;

  execute format('grant usage on schema %I to rondo_writer, rondo_reader', rondo);
  if has_schema_privilege('rondo_reader', rondo, 'create') then -- as in databases that began before PostgreSQL 15
    execute format('revoke create on schema %I from public', rondo);
  end if;

  if exists (select from pg_roles where rolname = 'rondo_event_writer') then
    grant select, insert on event to rondo_event_writer;
    execute format('grant usage on schema %I to rondo_event_writer', rondo);
  end if;
end
$$;
