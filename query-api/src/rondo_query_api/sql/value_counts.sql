-- How many values each of these tags has, at most "most"; a value may be counted that no series has any more.
select tag, (select count(*) from (select from tag_value where tag_value.tag = wanted.tag limit %(most)s) as counted)
from unnest(%(tags)s::text[]) as wanted (tag)
