-- Condition on ident: it contains one of these documents (null: no such condition), and its tags match.
(%(documents)s::jsonb[] is null or ident @> any(%(documents)s::jsonb[]))
and {tags_match}
