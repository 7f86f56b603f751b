"""The HTTP surface: each module is a few endpoints."""

METHODS = ("GET", "POST")
