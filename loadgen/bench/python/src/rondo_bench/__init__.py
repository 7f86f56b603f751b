"""Benchmarks of the query API and of the client for Python, run by ``./rondo bench``."""
