-- Archives that are being filled: policy, function, step in seconds, slots, rows written, open segments, seconds since the start and
-- since the last progress. Archives that no longer receive slots are not filled any further, and are omitted.
select policy, cf, step_ms / 1000.0::float8, size, slots,
       (select count(*) from segment_fill as s where s.rra_bundle_id = f.rra_bundle_id and not s.finished),
       extract(epoch from now() - started)::float8,
       extract(epoch from now() - progressed)::float8
from archive_fill as f join rra_bundle as b on b.id = f.rra_bundle_id
where finished is null
  and b.id in (select id from live_archive)
order by policy, step_ms, cf
