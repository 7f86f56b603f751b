-- Whether the tables, the view, and the newest columns and index that the statements need exist.
select to_regclass('ds') is not null
   and to_regclass('location_period') is not null
   and to_regclass('tv') is not null
   and to_regclass('event') is not null
   and to_regclass('ds_parent') is not null
   and exists (
     select from pg_attribute
     where attrelid = to_regclass('rra_bundle') and attname = 'aggregate' and not attisdropped
   )
   and exists (
     select from pg_attribute where attrelid = to_regclass('ds') and attname = 'source' and not attisdropped
   )
