"""Renders a response: parses the request, evaluates its targets, writes the requested format."""
