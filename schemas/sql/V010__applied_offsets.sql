-- How far each topic partition is applied to this database, told in the transaction that applies it: a sink begins there, and one that
-- is behind it writes nothing.

create table applied_offset (
  topic       text not null,
  topic_id    uuid not null,
  partition   integer not null,
  next_offset bigint not null,
  primary key (topic, topic_id, partition)
) with (fillfactor = 20); -- rewritten by each put, in its page
comment on table applied_offset is
  'Position of the PostgreSQL sink: what is in the tables. Delete a row, while the sink is stopped, to have it begin where its group is.';
comment on column applied_offset.topic_id is
  'Kafka''s id of the topic, so that one made anew is another one; zeros where the sink is not told kafka.bootstrap.servers.';
comment on column applied_offset.next_offset is 'All records before it are applied.';
