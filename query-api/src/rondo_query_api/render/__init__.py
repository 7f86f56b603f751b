"""From a render request to a response: parse it, evaluate its targets, write the requested format."""
