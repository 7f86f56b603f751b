"""seriesByTag over idents of all kinds; what it finds in plain ones is compared with graphite-web elsewhere."""

import pytest

from .api_server import ApiClient
from .conftest import MakePolicy

T = 1_700_006_400
ODD = "a.b*c (d) 'e' [g] {h} $i ^j |k +l é 日本 100% -m"
VALUES = {"plain": "ams", "odd": ODD, "quote": "it's", "regex": "a.c", "like": "abc", "empty": None}


@pytest.fixture
def name(make_policy: MakePolicy, root: str) -> str:
    """Series with values of the tag dc, and one without the tag; each has its key as tag key, too."""
    policy = make_policy().archive(10, 360)
    for n, (key, value) in enumerate(VALUES.items()):
        tags = {} if value is None else {"dc": value}
        policy.series({"name": root, "key": key, **tags}).slots(10, {T + 10: float(n)})
    policy.series(f"{root}.untagged").slots(10, {T + 10: 9.0})
    return root


def found(api: ApiClient, *expressions: str) -> list[str]:
    texts = ", ".join(f'"{each}"' for each in expressions)
    return [series["tags"].get("key", "none") for series in api.render(f"seriesByTag({texts})", T, T + 10)]


@pytest.mark.parametrize(
    ("expression", "keys"),
    [
        ("dc=ams", ["plain"]),
        ("dc=it's", ["quote"]),
        ("dc=a.c", ["regex"]),
        (f"dc={ODD}", ["odd"]),
        (f"dc!={ODD}", ["empty", "like", "plain", "quote", "regex"]),
        ("dc=~a.c", ["like", "regex"]),
        ("dc=~^a.c$", ["like", "regex"]),
        ("dc=~a", ["like", "odd", "plain", "regex"]),
        ("dc=~b", []),
        ("dc=~.*é.*", ["odd"]),
        ("dc!=a.c", ["empty", "like", "odd", "plain", "quote"]),
        ("dc!=~a.c", ["empty", "odd", "plain", "quote"]),
        ("dc=", ["empty"]),
        ("dc!=", ["like", "odd", "plain", "quote", "regex"]),
        ("dc!=~.+", ["empty"]),
        ("nosuch=", sorted(VALUES)),
        ("nosuch!=", []),
    ],
)
def test_expressions(api: ApiClient, name: str, expression: str, keys: list[str]) -> None:
    assert sorted(found(api, f"name={name}", expression)) == keys


def test_the_name_is_a_tag(api: ApiClient, name: str) -> None:
    assert found(api, f"name={name}.untagged") == ["none"]
    assert len(found(api, f"name=~{name}")) == len(VALUES) + 1
    assert found(api, f"name={name}", "dc=ams", "dc=a.c") == []
    assert found(api, f"name={name}", "dc=ams", "dc!=a.c", "key=~p") == ["plain"]


def test_a_regex_that_postgresql_does_not_know_is_told(api: ApiClient, name: str) -> None:
    query = {"target": f"seriesByTag('name={name}','dc=~(?P<a>x)')", "from": T, "until": T + 10, "format": "json"}
    answer = api.post("/render", query)
    assert (answer.status, answer.text.count("\n")) == (400, 1)


def test_groups_of_tags_keep_odd_values(api: ApiClient, name: str) -> None:
    series = api.render(f"groupByTags(seriesByTag('name={name}'),'sum','dc')", T, T + 10)
    assert {each["tags"]["dc"] for each in series} == {value or "" for value in VALUES.values()}
