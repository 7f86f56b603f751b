-- Archives that are being filled: policy, function, step in seconds, slots, rows written, open segments, seconds since the start and
-- since the last progress. Without those of archives that receive no slots any more, whose fills rest (FillTables.LIVE of the tools).
select policy, cf, step_ms / 1000.0::float8, size, slots,
       (select count(*) from segment_fill as s where s.rra_bundle_id = f.rra_bundle_id and not s.finished),
       extract(epoch from now() - started)::float8,
       extract(epoch from now() - progressed)::float8
from archive_fill as f join rra_bundle as b on b.id = f.rra_bundle_id
where finished is null
  and exists (select from ds where ds.policy = b.policy)
  and not exists (
    select from rra_bundle as other
    where other.policy = b.policy
      and (other.latest - other.step_ms * interval '1 ms' > b.latest + 2 * b.step_ms * interval '1 ms' + interval '1 minute'
           or (other.cf = b.cf and other.step_ms = b.step_ms and other.latest > b.latest + 2 * b.step_ms * interval '1 ms'))
  )
order by policy, step_ms, cf
