-- Which bundles hold archives of a policy in Whisper mode.

alter table rra_bundle add column whisper boolean not null default false;
comment on column rra_bundle.whisper is
  'Whisper mode: answers name a slot by its start, t - step; else by its end, t. ts.t is the end in both.';
