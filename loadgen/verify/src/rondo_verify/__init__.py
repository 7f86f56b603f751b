"""Compares what Rondo stored of a generated load with a model of its own."""
