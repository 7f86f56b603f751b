"""Access control: credentials, scopes, host names and origins."""
