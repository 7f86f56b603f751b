-- What finding asks for, at hundreds of thousands of series: the branches of the tree of names, and the values of each tag
-- (docs/decisions/0015). A writer of ds never waits here, for no other one, and writes nothing for a series that brings no new name.

lock table ds in share row exclusive mode; -- sinks wait from here on until all is filled

create function rondo_parent(path text) returns text
  language sql immutable strict parallel safe
  return left(path, length(path) - strpos(reverse(path) || '.', '.') + 1);
comment on function rondo_parent is 'What stands before the last node of a path, with its dot: a.b. of a.b.c, nothing of a.';

create table branch (
  parent   text collate "C" not null,
  node     text collate "C" not null,
  unconfirmed boolean not null default false
);
comment on table branch is
  'Branches of the tree of untagged names: below parent || node || ''.'' there are names. May hold one more than once.';
comment on column branch.parent is 'Path of the branch above with its dot; nothing at the top.';
comment on column branch.unconfirmed is 'There may be no name below it any more, whatever other rows say: look before you show it.';
create index branch_parent_node on branch (parent, node);
create index branch_unconfirmed on branch (parent, node) where unconfirmed;

create table tag_value (
  tag      text collate "C" not null,
  value    text collate "C" not null,
  unconfirmed boolean not null default false
);
comment on table tag_value is 'Values of each tag of the tagged series, the name among them. May hold one more than once.';
comment on column tag_value.unconfirmed is 'There may be no series with it any more, whatever other rows say: look before you show it.';
create index tag_value_tag_value on tag_value (tag, value);
create index tag_value_unconfirmed on tag_value (tag, value) where unconfirmed;

-- Leaves by their branch.
create index ds_parent on ds (rondo_parent(ident ->> 'name') text_pattern_ops) where ident - 'name' = '{}';

create function rondo_parent_branches(idents jsonb[]) returns table (path text, parent text, node text)
  language sql stable parallel safe
  begin atomic
    select path, parent, substr(path, length(parent) + 1, length(path) - length(parent) - 1)
    from (
      select path, rondo_parent(left(path, -1)) as parent
      from (
        select distinct rondo_parent(ident ->> 'name') as path
        from unnest(idents) as ident
        where ident - 'name' = '{}'
        offset 0
      ) as each
      where path <> ''
      offset 0
    ) as nearest;
  end;
comment on function rondo_parent_branches is 'Each branch that one of the untagged ones of these is right below, once.';

create function rondo_ancestor_branches(paths text[]) returns table (parent text, node text)
  language sql stable parallel safe
  begin atomic
    with recursive above (path, parent) as (
      select path, rondo_parent(left(path, -1)) from unnest(paths) as path
      union
      select parent, rondo_parent(left(parent, -1)) from above where parent <> ''
    )
    select parent, substr(path, length(parent) + 1, length(path) - length(parent) - 1) from above;
  end;
comment on function rondo_ancestor_branches is 'These branches and all that are above them, each once.';

create function rondo_tag_values(idents jsonb[]) returns table (tag text, value text)
  language sql stable parallel safe
  begin atomic
    select distinct pair.key, pair.value
    from unnest(idents) as ident cross join jsonb_each_text(ident) as pair
    where ident - 'name' <> '{}';
  end;
comment on function rondo_tag_values is 'Each tag and value of the tagged ones of these, once.';

create function rondo_is_branch(parent text, node text) returns boolean
  language sql stable parallel safe
  return exists (
    select from ds
    where ident ->> 'name' ~>=~ (parent || node || '.')
      and ident ->> 'name' ~<~ (parent || node || '/')
      and ident - 'name' = '{}'
  );
comment on function rondo_is_branch is 'Whether there are names below it; / is the character after the dot.';

-- The query API forbids these plans to its sessions, and the index on idents is read by no other.
create function rondo_series_with(documents jsonb[]) returns setof ds
  language plpgsql stable parallel safe
  set plan_cache_mode = force_custom_plan set enable_bitmapscan = on set enable_seqscan = on
as $$
begin
  if '{}' = any(documents) then
    return query select * from ds;
  else
    return query select * from ds where ident @> any(documents);
  end if;
end
$$;
comment on function rondo_series_with is 'Series whose ident has all of one of the documents; {} is in all.';

create function rondo_is_tag_value(tag text, value text) returns boolean
  language sql stable parallel safe
  set enable_bitmapscan = on
  return exists (select from ds where ident @> jsonb_build_object(tag, value) and ident - 'name' <> '{}');
comment on function rondo_is_tag_value is 'Whether a tagged series has it.';

-- Who comes holds a lock that others who come may hold too: nobody deletes what they have looked at. Who cannot have it does not
-- trust what is there and tells all, in doubt, so that the next one who deletes makes one row of it.
create function rondo_find_index_insert(idents jsonb[]) returns void language plpgsql as $$
declare
  trusted boolean := pg_try_advisory_xact_lock_shared('branch'::regclass::oid::bigint);
begin
  insert into branch (parent, node, unconfirmed)
  select news.parent, news.node, not trusted
  from rondo_ancestor_branches(array(
    select nearest.path
    from rondo_parent_branches(idents) as nearest
    where not trusted -- a branch that is there has all those above it
       or (select true from branch as b where b.parent = nearest.parent and b.node = nearest.node limit 1) is null
  )) as news
  where not trusted
     or (select true from branch as b where b.parent = news.parent and b.node = news.node limit 1) is null;

  insert into tag_value (tag, value, unconfirmed)
  select news.tag, news.value, not trusted
  from rondo_tag_values(idents) as news
  where not trusted
     or (select true from tag_value as t where t.tag = news.tag and t.value = news.value limit 1) is null;
end
$$;
comment on function rondo_find_index_insert is 'Of series that are new in ds.';

-- Who deletes and is alone puts right all that is in doubt; who is not says that it is, and finding looks.
create function rondo_find_index_delete(idents jsonb[]) returns void language plpgsql as $$
declare
  alone boolean := pg_try_advisory_xact_lock('branch'::regclass::oid::bigint);
begin
  insert into branch (parent, node, unconfirmed) select parent, node, true from rondo_ancestor_branches(array(select path from rondo_parent_branches(idents)));
  insert into tag_value (tag, value, unconfirmed) select tag, value, true from rondo_tag_values(idents);
  if not alone then
    return;
  end if;
  with doubtful as (
    delete from branch as b using (select distinct parent, node from branch where unconfirmed) as d
    where b.parent = d.parent and b.node = d.node
    returning b.parent, b.node
  )
  insert into branch (parent, node)
  select distinct parent, node from doubtful where rondo_is_branch(parent, node);
  with doubtful as (
    delete from tag_value as t using (select distinct tag, value from tag_value where unconfirmed) as d
    where t.tag = d.tag and t.value = d.value
    returning t.tag, t.value
  )
  insert into tag_value (tag, value)
  select tag, value from (select distinct tag, value from doubtful offset 0) as each where rondo_is_tag_value(tag, value);
end
$$;
comment on function rondo_find_index_delete is 'Of series that are no more in ds.';

create function rondo_maintain_find_index() returns trigger language plpgsql as $$
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

create trigger find_index_insert after insert on ds referencing new table as inserted
  for each statement execute function rondo_maintain_find_index();
create trigger find_index_delete after delete on ds referencing old table as deleted
  for each statement execute function rondo_maintain_find_index();
create trigger find_index_update after update of ident on ds for each row
  when (old.ident <> new.ident) execute function rondo_maintain_find_index();
create trigger find_index_truncate after truncate on ds for each statement execute function rondo_maintain_find_index();

-- They write as the owner: whoever may write series need not be given these tables. What they look up is in an index.
do $$
begin
  execute format('alter function rondo_maintain_find_index() security definer set search_path = %I, pg_temp', current_schema());
end
$$;
alter function rondo_maintain_find_index() set enable_seqscan = off;
alter function rondo_maintain_find_index() set enable_hashjoin = off;
alter function rondo_maintain_find_index() set enable_mergejoin = off;

insert into branch (parent, node)
select parent, node from rondo_ancestor_branches(array(select path from rondo_parent_branches((select array_agg(ident) from ds))));
insert into tag_value (tag, value) select tag, value from rondo_tag_values((select array_agg(ident) from ds));
