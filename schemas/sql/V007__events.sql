-- What happened when: deployments, alerts and the like, shown beside series (Graphite's events).
create table event (
  id bigint generated always as identity primary key,
  t timestamptz not null,
  what text not null,
  tags text[] not null,
  data text not null
);
create index event_t on event (t, id);
comment on table event is 'Written by POST /events of the query API, read by /events/get_data and events().';
