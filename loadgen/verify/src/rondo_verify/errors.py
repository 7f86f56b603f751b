"""Errors that the user can correct."""


class InputError(Exception):
    """An unusable input or unreachable server; the message names it, its value, and what to change."""
