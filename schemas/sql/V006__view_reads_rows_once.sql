-- Many series of a segment in one question: their rows are read once, not once for each (docs/decisions/0012).
-- A condition between ts and ds in the where clause would keep PostgreSQL from sharing them.
create or replace view tv as
  select ds.id as ds_id,
         (ds.id << 16) | rra_bundle.id as rra_id,
         rra_bundle.id as rra_bundle_id,
         rra_bundle.step_ms,
         ts.i,
         ts.t,
         case when ts.t > ds.valid_from then nullif(ts.dp[ds.pos], 'NaN') end as r
  from ds
  join rra_bundle on rra_bundle.policy = ds.policy
  join ts on ts.rra_bundle_id = rra_bundle.id and ts.seg = ds.seg
  where ts.t > '-infinity';
comment on view tv is 'Time and value: t is the slot''s end, r is null where unknown, also at or before valid_from.';
