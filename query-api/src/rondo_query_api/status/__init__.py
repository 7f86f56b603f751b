"""The page /status: what the parts of the pipeline say about themselves, and what is wrong."""
