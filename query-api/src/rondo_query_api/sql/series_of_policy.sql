-- Ids of any series of the policy.
select id from ds where policy = %(policy)s limit %(most)s
