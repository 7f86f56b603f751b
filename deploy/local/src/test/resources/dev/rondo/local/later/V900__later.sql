-- Stands for a migration of a later release. It locks rra_bundle, as a new column does.
alter table rra_bundle add column later text;
