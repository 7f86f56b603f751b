-- Pages of which a sample is read: none, because all series of a scope are counted.
select 0
