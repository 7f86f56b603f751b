-- Records that the sink has applied, by topic.
select topic, sum(next_offset)::float8 from applied_offset group by topic order by topic
