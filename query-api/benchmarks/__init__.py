"""Benchmarks of the query API, run by ``./rondo bench``."""
