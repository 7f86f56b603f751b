-- Whether the tables and the view that are read are there.
select to_regclass('ds') is not null and to_regclass('rra_bundle') is not null and to_regclass('tv') is not null
