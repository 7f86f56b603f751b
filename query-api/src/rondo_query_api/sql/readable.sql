-- No rows; it fails if the user may not read the tables that the other statements read.
select from ds cross join location_period cross join rra_bundle cross join ts cross join branch cross join tag_value where false
