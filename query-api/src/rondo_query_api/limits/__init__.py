"""What a request, a client and a worker may take."""
