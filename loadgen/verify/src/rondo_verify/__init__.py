"""Compares what Rondo stored of a generated load with an independent model."""
