-- Store an event.
insert into event (t, what, tags, data)
values (to_timestamp(%(when)s), %(what)s, %(tags)s, %(data)s)
returning id
