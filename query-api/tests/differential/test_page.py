from .page import PAGE, page


def test_the_page_of_all_functions_is_current() -> None:
    """Else: .venv/bin/python -m tests.differential.page."""
    assert PAGE.read_text(encoding="utf-8") == page()
