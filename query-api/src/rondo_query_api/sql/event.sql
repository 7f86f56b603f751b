-- The event with this id.
select id, floor(extract(epoch from t))::bigint, what, tags, data from {visible_events} where id = %(id)s
