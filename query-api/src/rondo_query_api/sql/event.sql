-- The event with this id.
select id, floor(extract(epoch from t))::bigint, what, tags, data from event where id = %(id)s
