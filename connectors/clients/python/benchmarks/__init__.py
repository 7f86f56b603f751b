"""Benchmarks of the client."""
