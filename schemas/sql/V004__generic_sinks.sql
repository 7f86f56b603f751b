-- For JDBC sinks that know nothing of archives: what they insert into bundle_row and series goes where Rondo's own sink would
-- have written it. Nothing that is there is locked or changed.

create table bundle_row (
  policy  text not null,
  cf      text not null,
  step_ms bigint not null,
  size    integer not null,
  seg     integer not null,
  i       integer not null,
  width   integer not null,
  xff     double precision not null,
  whisper boolean not null default false,
  t       bigint not null,
  dp      double precision[] not null,
  primary key (policy, cf, step_ms, size, seg, i)
);
comment on table bundle_row is 'Records of rondo.bundle-rows, by upsert. Always empty: each goes to rra_bundle and ts.';
comment on column bundle_row.t is 'End of the slot, epoch milliseconds.';
comment on column bundle_row.dp is 'News by position; NaN, null, or past the end: none.';

create function rondo_store_bundle_row() returns trigger language plpgsql as $$
declare
  bundle rra_bundle;
  ends   timestamptz := timestamptz 'epoch' + new.t * interval '1 ms';
  news   double precision[] := array_replace(new.dp, null, 'NaN');
  room   integer := 8; -- length that new rows are given: 8, 16, 32 …, so that a row seldom outgrows its place
  chunk  constant integer := 28; -- rows that are made together, to lie side by side
  first  integer := new.i / chunk * chunk;
begin
  if new.i < 0 or new.i >= new.size then
    raise 'i % is outside 0..size-1, size %', new.i, new.size using errcode = 'invalid_parameter_value';
  elsif cardinality(news) > new.width then
    raise 'dp has % values, width is %', cardinality(news), new.width using errcode = 'invalid_parameter_value';
  end if;

  loop -- it looks first: an insert that meets a conflict would burn an id
    select * into bundle from rra_bundle
    where policy = new.policy and cf = new.cf and step_ms = new.step_ms and size = new.size;
    exit when found;
    insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper)
    values (new.policy, new.cf, new.step_ms, new.size, new.width, new.xff, new.whisper)
    on conflict (policy, cf, step_ms, size) do nothing;
  end loop;
  if bundle.width < new.width
    or (bundle.xff, bundle.whisper) <> (new.xff, new.whisper) and ends >= coalesce(bundle.latest, ends) then
    update rra_bundle set width = greatest(width, new.width), xff = new.xff, whisper = new.whisper where id = bundle.id;
  end if;

  if not exists (select from ts where rra_bundle_id = bundle.id and seg = new.seg and i = new.i) then
    while room < cardinality(news) loop
      room := room * 2;
    end loop;
    insert into ts (rra_bundle_id, seg, i, t, dp)
    select bundle.id, new.seg, slot, '-infinity', array_fill(double precision 'NaN', array[least(room, new.width)])
    from generate_series(first, least(first + chunk, new.size) - 1) as slot
    on conflict do nothing;
  end if;
  update ts
  set t = ends,
      dp = case when t = ends then rondo_merge(dp, news)
                else news || array_fill(double precision 'NaN', array[greatest(cardinality(dp) - cardinality(news), 0)]) end
  where rra_bundle_id = bundle.id and seg = new.seg and i = new.i and t <= ends;

  if bundle.latest is null or bundle.latest < ends then
    -- All tasks share this row, in no order: to wait for it would end in deadlocks. Who holds it is raising it.
    update rra_bundle set latest = ends
    where id = (select id from rra_bundle
                where id = bundle.id and (latest is null or latest < ends) for no key update skip locked);
  end if;
  return null;
end
$$;
comment on function rondo_store_bundle_row is
  'Same t: known values over the stored ones; newer t: replaces; older t: ignored. Its bundle is found or made.';

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
    raise '''%'' is not a tag k=v, or comes twice, in ident ''%''', wrong, canonical
      using errcode = 'invalid_parameter_value';
  end if;
  return jsonb_build_object('name', name) || coalesce(tags, '{}');
end
$$;
comment on function rondo_ident is 'The ident of ds.ident from its canonical text name;k=v;k2=v2.';

create table series (
  ident  text primary key,
  policy text,
  seg    integer,
  pos    integer,
  valid_from   bigint
);
comment on table series is
  'Records of rondo.series, by upsert, and by delete for tombstones. Each goes to ds; here only its ident stays, to be deleted.';
comment on column series.valid_from is 'Epoch milliseconds.';

create function rondo_store_series() returns trigger language plpgsql as $$
declare
  told    jsonb := rondo_ident(new.ident);
  valid_from_at timestamptz := timestamptz 'epoch' + new.valid_from * interval '1 ms';
begin
  delete from ds
  where policy = new.policy and seg = new.seg and pos = new.pos and ident <> told and valid_from <= valid_from_at;

  insert into ds (ident, policy, seg, pos, valid_from)
  select told, new.policy, new.seg, new.pos, valid_from_at
  where not exists (
    select from ds where policy = new.policy and seg = new.seg and pos = new.pos and ident <> told)
  on conflict (ident) do update
    set policy = excluded.policy, seg = excluded.seg, pos = excluded.pos, valid_from = excluded.valid_from;
  if not found then -- stale: its position belongs to a series with a later valid_from
    delete from ds
    where ident = told and valid_from <= valid_from_at and (policy, seg, pos) <> (new.policy, new.seg, new.pos);
  end if;

  insert into series (ident) values (new.ident) on conflict (ident) do nothing;
  return null;
end
$$;
comment on function rondo_store_series is 'Gives a series its place. Who held it before is deleted, unless its valid_from is later.';

create trigger store before insert on series for each row
  when (num_nonnulls(new.policy, new.seg, new.pos, new.valid_from) > 0) execute function rondo_store_series();

create function rondo_retire_series() returns trigger language plpgsql as $$
begin
  delete from ds where ident = rondo_ident(old.ident);
  return old;
end
$$;
comment on function rondo_retire_series is 'Deletes the series; its values stay in the rows, and show no longer.';

create trigger retire before delete on series for each row execute function rondo_retire_series();
