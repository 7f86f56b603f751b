-- Number of values of each of these tags, at most "most"; values that no series has any longer may be included.
select tag, (select count(*) from (select from tag_value where tag_value.tag = wanted.tag limit %(most)s) as counted)
from unnest(%(tags)s::text[]) as wanted (tag)
