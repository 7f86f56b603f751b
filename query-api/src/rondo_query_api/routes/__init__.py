"""HTTP endpoints, a few in each module."""

METHODS = ("GET", "POST")
