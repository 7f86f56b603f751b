-- As the sink of V002 stored it: rows as long as their last known position, each slot in the place of the one a round before.

insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, latest) values
  ('default', 'wmean', 10000, 6, 200, 0.5, false, '2023-11-14 22:13:30Z'),
  ('default', 'max', 60000, 10080, 200, 0.5, false, '2023-11-14 22:13:00Z'),
  ('slow', 'last', 300000, 288, 4, 0, true, null);

insert into ds (ident, policy, seg, pos, valid_from) values
  ('{"name": "load", "host": "web01"}', 'default', 65536, 3, '2023-11-14 22:13:00Z'),
  ('{"name": "load", "host": "web00"}', 'default', 65536, 1, '2023-11-14 20:00:00.123Z'),
  ('{"name": "retired.and.gone"}', 'default', 65536, 2, '2023-11-14 22:13:10Z'),
  ('{"name": "a;\"b\"", "ü": "\\"}', 'slow', 0, 1, '1970-01-01 00:00:00.001Z');
delete from ds where ident @> '{"name": "retired.and.gone"}';

insert into ts (rra_bundle_id, seg, i, t, dp) values
  (1, 65536, 0, '2023-11-14 22:13:20Z', '{0.2,NaN,5}'),
  (1, 65536, 1, '2023-11-14 22:13:30Z', '{0.3,NaN,7.5}'),
  (1, 65536, 2, '2023-11-14 22:12:40Z', '{0.1}'),
  (1, 65536, 3, '2023-11-14 22:12:50Z', '{}'),
  (1, 65536, 4, '2023-11-14 20:00:00Z', '{9,9,9}'), -- of a round long ago, before valid_from of the series there
  (2, 65536, 8652, '2023-11-14 22:13:00Z', '{0.1,NaN,0.30000000000000004}'),
  (3, 0, 0, '2023-11-14 22:00:00Z', '{-Infinity,Infinity,5e-324}');
