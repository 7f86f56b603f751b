-- Condition on ident: it has all of one of these documents (null: of none), and its tags match.
(%(documents)s::jsonb[] is null or ident @> any(%(documents)s::jsonb[]))
and {tags_match}
