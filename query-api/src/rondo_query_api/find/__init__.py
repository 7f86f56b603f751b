"""Finds series: by path, by tags, and as a tree."""
