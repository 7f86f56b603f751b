-- New series cost less (docs/decisions/0015): one look at an ident tells whether it is tagged, and a path is cut at its end. What is kept, and
-- how, stays as V008 has it. No lock on ds is taken.

create or replace function rondo_parent(path text) returns text
  language sql immutable strict parallel safe
  return left(path || '.', -1 - length(split_part(path, '.', -1)));
-- Sessions keep the expression of an index with the former body in it, and would not use ds_parent for the new one. This changes nothing, but
-- makes them look at it again.
alter index ds_parent reset (fillfactor);

create or replace function rondo_parent_branches(idents jsonb[]) returns table (path text, parent text, node text)
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
  'Each branch that one of the untagged ones of these is right below, once; a row of nulls where there are tagged ones.';

create or replace function rondo_ancestor_branches(paths text[]) returns table (parent text, node text)
  language sql stable parallel safe
  begin atomic
    with recursive above (path, parent) as (
      select path, rondo_parent(left(path, -1)) from unnest(paths) as path where path is not null
      union
      select parent, rondo_parent(left(parent, -1)) from above where parent <> ''
    )
    select parent, substr(path, length(parent) + 1, length(path) - length(parent) - 1) from above;
  end;
comment on function rondo_ancestor_branches is 'These branches and all that are above them, each once; nulls are none.';

create or replace function rondo_tag_values(idents jsonb[]) returns table (tag text, value text)
  language sql stable parallel safe
  begin atomic
    select distinct pair.key collate "C", pair.value collate "C"
    from unnest(idents) as ident cross join jsonb_each_text(ident) as pair
    where ident - 'name' <> '{}';
  end;

-- Whom it trusts: V008.
create or replace function rondo_find_index_insert(idents jsonb[]) returns void language plpgsql as $$
declare
  trusted boolean := pg_try_advisory_xact_lock_shared('branch'::regclass::oid::bigint);
  tagged boolean;
begin
  with nearest as materialized (select path, parent, node from rondo_parent_branches(idents)),
  told as (
    insert into branch (parent, node, unconfirmed)
    select news.parent, news.node, not trusted
    from rondo_ancestor_branches(array(
      select nearest.path
      from nearest
      where not trusted -- a branch that is there has all those above it
         or (select true from branch as b where b.parent = nearest.parent and b.node = nearest.node limit 1) is null
    )) as news
    where not trusted
       or (select true from branch as b where b.parent = news.parent and b.node = news.node limit 1) is null
  )
  select exists (select from nearest where path is null) into tagged;

  if tagged then
    insert into tag_value (tag, value, unconfirmed)
    select news.tag, news.value, not trusted
    from rondo_tag_values(idents) as news
    where not trusted
       or (select true from tag_value as t where t.tag = news.tag and t.value = news.value limit 1) is null;
  end if;
end
$$;

drop function rondo_series_with(jsonb[]);
