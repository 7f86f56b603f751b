"""How gunicorn receives requests and sends responses: clients that are slow hold no threads."""
