-- Nothing; it fails where the user may not read what the other statements read.
select from ds cross join rra_bundle cross join ts where false
