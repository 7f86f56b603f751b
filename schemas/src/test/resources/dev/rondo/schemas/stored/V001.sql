-- As the sink of V001 stores it, and another sink: it preallocates the rows of a chunk, t = -infinity, before it writes the first of them; all
-- are padded with NaN. Also events and offsets.

insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, latest) values
  ('default', 'wmean', 10000, 6, 116, 0.5, false, '2023-11-14 22:13:30Z'),
  ('slow', 'last', 300000, 288, 4, 0, true, null);

insert into ds (ident, policy, seg, pos, starts_at) values
  ('{"name": "load", "host": "web01"}', 'default', 65536, 3, '2023-11-14 22:13:00Z'),
  ('{"name": "load", "host": "web00"}', 'default', 65536, 1, '2023-11-14 20:00:00.123Z'),
  ('{"name": "a;\"b\"", "ü": "\\"}', 'slow', 0, 1, '1970-01-01 00:00:00.001Z');

insert into ts (rra_bundle_id, seg, i, t, dp) values
  (2, 0, 0, '2023-11-14 22:00:00Z', '{-Infinity,Infinity,5e-324}');
insert into ts (rra_bundle_id, seg, i, t, dp)
select 1, 65536, i, '-infinity', array_fill('NaN'::float8, '{8}') from generate_series(0, 5) as i;
update ts set t = '2023-11-14 22:13:20Z', dp = '{0.2,NaN,5,NaN,NaN,NaN,NaN,NaN}' where rra_bundle_id = 1 and i = 0;
update ts set t = '2023-11-14 22:13:30Z', dp = '{0.3,NaN,7.5,NaN,NaN,NaN,NaN,NaN}' where rra_bundle_id = 1 and i = 1;

insert into bundle_row (policy, cf, step_ms, size, seg, i, width, xff, whisper, t, dp)
values ('generic', 'sum', 60000, 1440, 131072, 0, 116, 0.5, false, 1699920000000, '{1,NaN,null}')
on conflict (policy, cf, step_ms, size, seg, i) do update set t = excluded.t, dp = excluded.dp;
insert into series (ident, policy, seg, pos, starts_at) values ('load;host=web02', 'generic', 131072, 1, 5)
on conflict (ident) do update set policy = excluded.policy, seg = excluded.seg, pos = excluded.pos, starts_at = excluded.starts_at;

insert into applied_offset (topic, topic_id, partition, next_offset) values
  ('rondo.bundle-rows', '7c9e6679-7425-40de-944b-e07fc1f90ae7', 1, 4711),
  ('rondo.series', '00000000-0000-0000-0000-000000000000', 0, 0);
