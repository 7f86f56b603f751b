-- Like sql/value_counts.sql, for the series of the scope.
select tag, least(count(distinct value), %(most)s)
from {all_visible_series}
cross join lateral jsonb_each_text(ident) as pair (tag, value)
where tag = any(%(tags)s::text[])
group by tag
