import pytest

from .api_server import ApiClient
from .conftest import MakePolicy

RENDER = {"from": 1700000000, "until": 1700003600, "format": "json"}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, "the parameter target is required"),
        ({"target": "f(a"}, "target 'f(a' has a syntax error at column 4: it ends too early"),
        (
            {"target": "a.b)"},
            "target 'a.b)' has a syntax error at column 4: ')' is not expected here; in a name, write \\);"
            " quote other texts",
        ),
        ({"target": "sumSerie(a)"}, "unknown function sumSerie; did you mean sumSeries?; in a name, ( is written \\("),
        ({"target": "constantLine()"}, "constantLine: value is missing: constantLine(value)"),
        ({"target": "constantLine(1,2)"}, "constantLine: 2 arguments, at most 1: constantLine(value)"),
        ({"target": "constantLine(value=1,x=2)"}, "constantLine: unknown parameter x: constantLine(value)"),
        ({"target": "constantLine(a)"}, "constantLine: value is a list of series, not a number"),
        ({"target": "sortBy(a,'nosuch')"}, "sortBy: func is 'nosuch', not one of average, avg_zero, median, "),
        ({"target": "delay(a,1.5)"}, "delay: steps is 1.5, not a whole number"),
        ({"target": "summarize(a,'0s')"}, "summarize: intervalString is '0s', not longer than 0 s"),
        ({"target": "summarize(a,'1fortnight')"}, "summarize: intervalString is '1fortnight', not an interval such as"),
        ({"target": "grep(a,'(')"}, "grep: pattern is '(': "),
        ({"target": "seriesByTag('dc!=ams')"}, "at least one tag expression must require its tag"),
        ({"target": "seriesByTag('dc')"}, "'dc' is not a tag expression: "),
        ({"target": "seriesByTag('dc=~(')"}, "'dc=~(' has an invalid regex: "),
        (
            {"target": "consolidateBy(constantLine(1),'odd')", "maxDataPoints": "1"},
            "consolidateBy: consolidationFunc is 'odd', not one of sum, average, avg, avg_zero, min, max, first, last",
        ),
        ({"target": "template(f(a),b=c)"}, "template(): the value of b is not a number or a string"),
        ({"target": "a", "xFilesFactor": "2"}, "xFilesFactor is '2', not a number from 0 to 1"),
        ({"target": "(" * 3000 + "a"}, "target '((("),
        ({"target": "f(" * 3000 + "a" + ")" * 3000}, "the target is nested too deeply"),
        ({"target": "a\0b"}, "target is 'a\\x00b', which contains NUL or a lone surrogate"),
        ({"target": "a", "from": "1 fortnight ago"}, "from is '1 fortnight ago', not a time"),
        ({"target": "a", "from": "-1m"}, "from is '-1m', not a time"),
        ({"target": "a", "until": "9" * 30}, "until is '9999"),
        ({"target": "a", "now": "x"}, "now is 'x', not a time"),
        ({"target": "a", "from": "now", "until": "now"}, "from and until are the same time: 20"),
        (
            {"target": "aliasSub(" * 20 + "constantLine(1)" + ",'^(.*)$',r'\\1\\1')".replace("r'", "'") * 20},
            "a name or its replacement has 12288 characters, at most 10000",
        ),
        ({"target": "a", "tz": "Mars"}, "tz is 'Mars', not an IANA time zone"),
        ({"target": "a", "tz": "../etc/passwd"}, "tz is '../etc/passwd', not an IANA time zone"),
        ({"target": "a", "format": "bogus"}, "format is 'bogus', not one of json, csv, raw, pickle, msgpack, "),
        ({"target": "a", "maxDataPoints": "many"}, "maxDataPoints is 'many', not a number of at least 1"),
        ({"target": "a", "maxDataPoints": "0"}, "maxDataPoints is '0', not a number of at least 1"),
        ({"target": "a", "maxDataPoints": "inf"}, "maxDataPoints is 'inf', not a number of at least 1"),
        ({"target": "a", "jsonp": "alert(1);f"}, "jsonp is 'alert(1);f', not the name of a function"),
        ({"target": "a", "format": "png", "graphType": "ring"}, "graphType is 'ring', not one of line, pie"),
        ({"target": "a", "graphType": "pie"}, "format is 'json'; a pie is one of png, svg, pdf"),
        ({"target": "a:x", "format": "png", "graphType": "pie"}, "target 'a:x' of a pie is not a name, a colon and"),
        (
            {"target": "a", "format": "png", "graphType": "pie", "pieMode": "odd"},
            "pieMode is 'odd', not one of average",
        ),
        ({"target": "a", "cacheTimeout": "-1"}, "cacheTimeout is '-1', not a whole number from 0 to 86400"),
        ({"target": "a", "format": "png", "minorY": "99999999"}, "minorY is '99999999', not a number from 0 to 20"),
        ({"target": "a", "format": "png", "logBase": "1.0000001"}, "logBase is '1.0000001', not a number from 1.1 to"),
        (
            {"target": "a", "format": "png", "width": "100000"},
            "width is '100000', not a whole number from 1 to 4096",
        ),
    ],
)
def test_a_bad_render_request_gets_a_one_line_error(api: ApiClient, query: dict[str, str], message: str) -> None:
    response = api.post("/render", RENDER | query)
    assert (response.status, response.headers.get_content_type()) == (400, "text/plain")
    assert response.text.startswith(message)
    assert response.text.count("\n") == 1


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("/metrics/find", {}, "the parameter query is required"),
        ("/metrics/find", {"query": ""}, "the parameter query is empty"),
        ("/metrics/find", {"query": "*", "format": "nodelist", "position": "x"}, "position is 'x', not a whole number"),
        (
            "/metrics/find",
            {"query": "*", "format": "bogus"},
            "format is 'bogus', not one of treejson, completer, json, nodelist, pickle, msgpack",
        ),
        ("/metrics/find", {"query": "*", "wildcards": "x"}, "wildcards is 'x', not 0 or 1"),
        ("/metrics/find", {"query": "*", "from": "x"}, "from is 'x', not a time"),
        ("/metrics/expand", {}, "the parameter query is required"),
        ("/metrics/expand", {"query": "*", "leavesOnly": "x"}, "leavesOnly is 'x', not 0 or 1"),
    ],
)
def test_a_bad_find_request_gets_a_one_line_error(
    api: ApiClient, path: str, query: dict[str, str], message: str
) -> None:
    response = api.get(path, **query)
    assert (response.status, response.text.count("\n")) == (400, 1)
    assert response.text.startswith(message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"target": {"a": 1}, **RENDER}, "target is {'a': 1}, not text or a number"),
        ({"target": "a\0", **RENDER}, "target is 'a\\x00', which contains NUL or a lone surrogate"),
        (
            {"target": "\ud800", **RENDER},
            "the body is not JSON: no low surrogate in string: line 1 column 13 (char 12)",
        ),
    ],
)
def test_bad_json_is_an_error(api: ApiClient, body: object, message: str) -> None:
    response = api.post_json("/render", body)
    assert (response.status, response.text) == (400, message + "\n")


def test_a_failing_function_is_a_client_error(api: ApiClient, make_policy: MakePolicy, root: str) -> None:
    make_policy().archive(10, 360).series(root)
    query = {"target": f"movingAverage({root},'1 fortnight')", "from": "-1h", "format": "json"}
    response = api.get("/render", **query)
    assert (response.status, response.text.count("\n")) == (400, 1)
    assert response.text.startswith("movingAverage: windowSize is '1 fortnight', not a number of points or an interval")


def test_a_pattern_may_be_too_complex(api: ApiClient) -> None:
    nested = api.post("/metrics/find", {"query": "{" * 4000 + "a" + "}" * 4000})
    assert (nested.status, nested.text) == (
        400,
        "the pattern has braces that are nested more than 20 deep\n",
    )
    long = api.post("/metrics/find", {"query": "{a,b}*" * 10_000})
    assert (long.status, long.text.startswith("the pattern is too complex: ")) == (400, True)


def test_unknown_paths_and_methods(api: ApiClient) -> None:
    assert (api.get("/nope").status, api.get("/nope").text) == (404, "404 Not Found\n")
    assert api.get("/static/x").status == 404
