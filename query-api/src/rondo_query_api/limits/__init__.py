"""Limits of requests, clients and workers."""
