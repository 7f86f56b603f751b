-- Of these values (a JSON array) of a tag, those of a series that also contains the document and whose other tags match; in the same
-- order.
select value
from json_array_elements_text(%(candidates)s) with ordinality as candidate (value, n)
where exists (
  select
  from {visible_series}
  where ident @> (%(document)s::jsonb || jsonb_build_object(%(tag)s::text, value))
    and {tags_match}
)
order by n
