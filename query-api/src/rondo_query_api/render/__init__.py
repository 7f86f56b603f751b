"""From a render request to an answer: read it, evaluate its targets, write the format that it wants."""
