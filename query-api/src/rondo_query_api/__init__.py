"""Rondo's query API: Graphite's render and find over the archives in PostgreSQL."""

from importlib.metadata import version

__version__ = version("rondo-query-api")
