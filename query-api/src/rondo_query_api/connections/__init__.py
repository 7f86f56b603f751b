"""Receives requests and sends responses so that slow clients hold no threads of gunicorn."""
