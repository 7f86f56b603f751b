-- Estimated bytes of each archive: its share of ts in the sample of the last ANALYZE. Counting its rows would read the table.
with sample as (
  select most_common_vals::text::int[] as ids, most_common_freqs as shares
  from pg_stats
  where attname = 'rra_bundle_id' and tablename = 'ts'
    and schemaname = (select relnamespace::regnamespace::text from pg_class where oid = 'ts'::regclass)
)
select policy, cf, step_ms::text, size::text, coalesce(shares[array_position(ids, id::int)], 0) * pg_total_relation_size('ts')
from rra_bundle cross join sample
order by id
