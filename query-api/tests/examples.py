"""How many examples of a property are tried."""

from hypothesis import settings


def examples(most: int) -> int:
    """All of them with the long tests, else a quarter."""
    return most if settings.get_current_profile_name() != "short" else -(-most // 4)
