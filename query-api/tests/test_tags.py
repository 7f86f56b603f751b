"""seriesByTag and /tags with unusual idents; tests/differential compares the usual ones with graphite-web."""

from uuid import uuid4

import psycopg
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


def test_a_regex_without_translation_is_an_error(api: ApiClient, name: str) -> None:
    query = {"target": f"seriesByTag('name={name}','dc=~x++')", "from": T, "until": T + 10, "format": "json"}
    response = api.post("/render", query)
    assert (response.status, response.text.count("\n")) == (400, 1)


def test_groups_of_tags_keep_odd_values(api: ApiClient, name: str) -> None:
    series = api.render(f"groupByTags(seriesByTag('name={name}'),'sum','dc')", T, T + 10)
    assert {each["tags"]["dc"] for each in series} == {value or "" for value in VALUES.values()}


def test_a_regex_that_fits_many_values_reads_all(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    connection.execute(
        "insert into ds (ident, policy, seg, pos, starts_at)"
        " select jsonb_build_object('name', 'many', %s::text, 'v' || n), %s, 0, n, 'epoch'"
        " from generate_series(1, 1200) n",
        (root, make_policy().name),
    )
    assert len(api.get("/tags/findSeries", expr=f"{root}=~v").json) == 1200
    assert api.get("/tags/findSeries", expr=f"{root}=~v11.?$").json == [
        f"many;{root}=v{n}" for n in sorted(["11", *(f"11{m}" for m in range(10))])
    ]


@pytest.fixture(scope="module")
def wide(connection: psycopg.Connection, make_policy: MakePolicy) -> str:
    """Name of more series than are sampled; each has a different value of the tag with this name, the last a tag more.

    The first 500 values are of series with another name.
    """
    wide = f"wide{uuid4().hex}"
    connection.execute(
        "insert into ds (ident, policy, seg, pos, starts_at)"
        " select jsonb_build_object('name', case when n < 500 then 'z' else '' end || %(wide)s::text,"
        "   %(wide)s::text, 'v' || to_char(n, 'FM0000'), 'kind', 'k' || n %% 3)"
        "   || case when n = 2700 then jsonb_build_object('late' || %(wide)s, '1') else '{}' end,"
        "   %(policy)s, n / 200, n %% 200 + 1, 'epoch'"
        " from generate_series(0, 2700) n",
        {"wide": wide, "policy": make_policy().name},
    )
    return wide


@pytest.mark.parametrize(
    ("query", "expression", "values"),
    [
        ({}, "nosuch=", range(500, 600)),
        ({"limit": 2}, "nosuch=", range(500, 502)),
        ({"limit": 700}, "nosuch=", range(500, 1200)),
        ({"limit": 10_000}, "nosuch=", range(500, 2701)),
        ({"valuePrefix": "v06"}, "nosuch=", range(600, 700)),
        ({"valuePrefix": "v049"}, "nosuch=", []),
        ({"valuePrefix": "v26", "limit": 3}, "nosuch=", range(2600, 2603)),
        ({"limit": 3}, "kind=~k", [500, 501, 502]),
        ({"limit": 3, "valuePrefix": "v1"}, "kind!=k0", [1000, 1001, 1003]),
    ],
)
def test_values_of_very_many_series(
    api: ApiClient, wide: str, query: dict[str, str], expression: str, values: list[int]
) -> None:
    found = api.get("/tags/autoComplete/values", tag=wide, expr=[f"name={wide}", expression], **query).json
    assert found == [f"v{n:04}" for n in values]


def test_values_and_tags_of_few_among_very_many(api: ApiClient, wide: str) -> None:
    complete = "/tags/autoComplete/"
    assert api.get(f"{complete}values", tag="kind", expr=f"name={wide}").json == ["k0", "k1", "k2"]
    assert api.get(f"{complete}values", tag="kind", expr=[f"name={wide}", "kind=k1"]).json == ["k1"]
    assert api.get(f"{complete}values", tag="name", expr=f"name={wide}").json == [wide]
    assert api.get(f"{complete}values", tag="name", expr=f"name={wide}", valuePrefix="x").json == []
    assert api.get(f"{complete}values", tag="name", expr=f"{wide}=~v").json == [wide, f"z{wide}"]
    assert api.get(f"{complete}tags", expr=f"name={wide}").json == ["kind", f"late{wide}", wide]
    assert api.get(f"{complete}tags", expr=f"name={wide}", tagPrefix="k").json == ["kind"]
    assert api.get(f"{complete}tags", expr=f"name=~^{wide[:-1]}", limit=2).json == ["kind", f"late{wide}"]


def test_the_name_is_completed_from_tagged_and_untagged_series(api: ApiClient, name: str) -> None:
    values = api.get("/tags/autoComplete/values", tag="name", valuePrefix=name).json
    assert values == [name, f"{name}.untagged"]
    assert api.get("/tags/autoComplete/values", tag="name", valuePrefix=name, limit=1).json == [name]
    assert api.get("/tags/autoComplete/values", tag="dc", expr=f"name={name}", valuePrefix="a.").json == [ODD, "a.c"]
    assert "name" in api.get("/tags/autoComplete/tags", limit=10_000).json
    assert api.get("/tags/autoComplete/tags", expr=f"name={name}").json == ["dc", "key"]


def test_retired_series_are_no_longer_suggested(
    api: ApiClient, connection: psycopg.Connection, make_policy: MakePolicy, root: str
) -> None:
    policy = make_policy()
    kept, retired = (policy.series({"name": "t", root: value}) for value in ("kept", "retired"))
    assert api.get("/tags/autoComplete/values", tag=root).json == ["kept", "retired"]
    connection.execute("delete from ds where id = %s", (retired.id,))
    assert api.get("/tags/autoComplete/values", tag=root).json == ["kept"]
    assert api.get(f"/tags/{root}").json == {"tag": root, "values": [{"value": "kept", "count": 1}]}
    connection.execute("delete from ds where id = %s", (kept.id,))
    assert api.get("/tags", filter=root).json == []
    assert api.get(f"/tags/{root}").json is None


def test_no_series_is_created(api: ApiClient) -> None:
    assert api.post("/tags/tagSeries", {"path": "a;k=v;b=w"}).json == "a;b=w;k=v"
    assert api.post("/tags/tagMultiSeries", {"path": ["a;k=v", "b"]}).json == ["a;k=v", "b"]
    assert api.get("/tags/findSeries", expr="k=v").json == []
    assert api.get("/tags/tagSeries").status == 405


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("disk.used", "disk.used"),
        ("disk.used;rack=a1;datacenter=dc1", "disk.used;datacenter=dc1;rack=a1"),
        ('disk.used{rack="a1",datacenter="dc1"}', "disk.used;datacenter=dc1;rack=a1"),
        ('disk.used{path="C:\\\\ \\"x\\""}', 'disk.used;path=C:\\ "x"'),
        ("a;k=1;k=2=3", "a;k=2=3"),
        ("a;name=b", "a"),
        ("~a;k=v", "a;k=v"),
    ],
)
def test_a_path_becomes_the_canonical_name(api: ApiClient, path: str, canonical: str) -> None:
    assert api.post("/tags/tagSeries", {"path": path}).json == canonical


@pytest.mark.parametrize("path", ["a;k", "a;=v", "a;k=", "a;k=~v", "a;k^=v", ";k=v", "~", 'a{k=v"}', '{k="v"}'])
def test_what_graphite_refuses_as_a_path_is_refused(api: ApiClient, path: str) -> None:
    response = api.post("/tags/tagMultiSeries", {"path": ["a", path]})
    assert response.status == 400
    assert response.text.startswith("path is not the name of a series: ")


def test_a_path_is_that_of_one_series(api: ApiClient) -> None:
    """The topology would ignore the whole request to delete, with all other paths."""
    assert api.post("/tags/tagSeries", {"path": 'a;b{k="v"}'}).status == 400


def test_answers_can_be_pretty_and_called(api: ApiClient, name: str) -> None:
    pretty = api.get("/tags/findSeries", expr=[f"name={name}", "dc=ams"], pretty=1)
    assert pretty.text == f'[\n  "{name};dc=ams;key=plain"\n]'
    called = api.get("/tags", filter="nosuch", jsonp="take")
    assert (called.headers.get_content_type(), called.text) == ("text/javascript", "take([])")


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("/tags", {"limit": "x"}, "limit is 'x', not a whole number from 0 to"),
        ("/tags", {"filter": "("}, "filter is '(', an invalid regex"),
        ("/tags", {"filter": "a{99999999999999999999}"}, "filter is 'a{99999999999999999999}', an invalid regex"),
        ("/tags/findSeries", {"expr": "dc=~" + "(" * 2000}, "'dc=~(((("),
        ("/tags/findSeries", {}, "the parameter expr is required"),
        ("/tags/findSeries", {"expr": "dc"}, "'dc' is not a tag expression"),
        ("/tags/autoComplete/values", {}, "the parameter tag is required"),
    ],
)
def test_bad_requests_get_a_one_line_error(api: ApiClient, path: str, query: dict[str, str], message: str) -> None:
    response = api.get(path, **query)
    assert (response.status, response.text.count("\n")) == (400, 1)
    assert response.text.startswith(message)
