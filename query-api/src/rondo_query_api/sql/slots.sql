-- Slots of many series, from all archives that a request reads. There is a row for each read, range of i and up to 16 series of one segment:
-- the numbers of the series in the parameter, from 1, their starts_at (epoch s), the i of the stored slots as consecutive int4, and their
-- values as consecutive float8, one for each series, slot after slot; both are null if there are no slots. They are bytes, which cost a
-- quarter less than arrays. A point is sent as two float8 and an lseg as four, in one call; 3, 5 to 7 and 9 to 15 series are padded with NaN.
-- No row has a series that was deleted, has moved since its read was planned, or whose id has another ident by now: a restored database
-- assigns ids again. For the same reason, archives are named by their definition, not by their ids.
-- A read is of one archive: slots that end after start and at or before final, in one range of i (low to high) or two.
-- Rows are read from ts by their key and not through tv, which would read a row for each of its series (docs/decisions/0016).
with location as (
  select read, n, seg, pos, starts_at, (row_number() over (partition by read, seg order by pos) - 1) / 16 as part
  from unnest(%(series)s::bigint[], %(idents)s::bigint[], %(series_reads)s::integer[]) with ordinality as wanted (id, ident_hash, read, n)
  join ds using (id)
  where {ident_hash} = ident_hash
    and ds.policy = (%(policies)s::text[])[read + 1]
    and ds.period = 0
),
{slots_by_segment}