-- As sql/slots.sql, also for series that have moved: a read is of their current location (place 0) or of the one so many moves ago.
with place as (
  select read, n, seg, pos, valid_from, (row_number() over (partition by read, seg order by pos) - 1) / 16 as part
  from (
    select read, n, stay.seg, stay.pos, stay.valid_from
    from unnest(%(series)s::bigint[], %(idents)s::bigint[], %(series_reads)s::integer[]) with ordinality as wanted (id, ident_hash, read, n)
    join ds using (id)
    join series_location as stay on stay.ds_id = id and stay.stay = ds.moves - (%(places)s::integer[])[read + 1]
    where {ident_hash} = ident_hash
      and stay.policy = (%(policies)s::text[])[read + 1]
      and ds.moves = (%(moves)s::integer[])[read + 1]
  ) as lived
),
{slots_by_segment}