-- Slots of many series, from all archives that a request reads: a row for each read, range of i and up to 16 series that
-- lie in one segment: which series, by their numbers in the parameter, from 1, their starts_at (epoch s), the i of the slots that there are, int4 after int4, and their values,
-- slot after slot a float8 for each series; null where there are no slots. As bytes both cost a quarter less than as arrays. A point
-- is sent as two float8 and an lseg as four, in one call; 3, 5 to 7 and 9 to 15 series are filled up with NaN to 4, 8 and 16.
-- A series that no longer exists, or has moved since its read was planned, is in no row. Nor is one whose id has another ident by now:
-- after a restore of the database ids are given again. Archives are named by what they are, not by their ids, for the same reason.
-- A read is of one archive: slots that end after start and at or before final, in one range of i (low to high) or two.
-- Rows are read from ts by their key and not through tv, which would read a row for each of its series (docs/decisions/0016).
with place as (
  select read, n, seg, pos, starts_at, (row_number() over (partition by read, seg order by pos) - 1) / 16 as part
  from unnest(%(series)s::bigint[], %(idents)s::bigint[], %(series_reads)s::integer[]) with ordinality as wanted (id, ident_hash, read, n)
  join ds using (id)
  where {ident_hash} = ident_hash
    and ds.policy = (%(policies)s::text[])[read + 1]
    and ds.period = 0
),
{slots_by_segment}