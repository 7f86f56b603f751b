"""Which series exist: by path, by tags, and as a tree."""
