-- Ids of any series of the policy.
select id from {all_visible_series} where policy = %(policy)s limit %(most)s
