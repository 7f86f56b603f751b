-- Names of all untagged series, sorted.
select ident ->> 'name'
from ds
where ident - 'name' = '{}'
order by ident ->> 'name' using ~<~
