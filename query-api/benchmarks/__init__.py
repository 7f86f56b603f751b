"""What questions to the query API cost: run by ``./rondo bench``."""
