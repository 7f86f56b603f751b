"""What the caller has to mend."""


class InputError(Exception):
    """Something given cannot be used, or reached; the text names it, its value, and what to change."""
