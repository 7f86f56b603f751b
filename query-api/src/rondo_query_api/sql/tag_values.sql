-- Values of a tag, low <= value < high, that match the regex, sorted; for the tag name, also those of untagged series.
select value
from (
  (
    select value
    from tag_value
    where tag = %(tag)s
      and value >= %(low)s
      and value < %(high)s
      and value ~ %(regex)s
    group by tag, value
    having not bool_or(unconfirmed) or rondo_is_tag_value(tag, value)
    order by value
    limit %(most)s
  )
  union
  (
    select ident ->> 'name' collate "C"
    from ds
    where %(tag)s = 'name'
      and ident ->> 'name' ~>=~ %(low)s
      and ident ->> 'name' ~<~ %(high)s
      and ident ->> 'name' ~ %(regex)s
      and ident - 'name' = '{}'
    order by ident ->> 'name' using ~<~
    limit %(most)s
  )
) as either (value)
order by value
limit %(most)s
