"""Finding names and tags: Rondo and graphite-web return the same."""

import json
import pickle
from typing import Any
from urllib.parse import parse_qs

import msgpack
import pytest

from ..api_server import ApiClient, Response

# Without ``**`` at the top, where graphite-web 1.1.10 cuts off the first character of each directory.
FINDS = [
    *("*", "server.*", "server.*.cpu.*", "server.{db01,web01}.*", "server.web[01]*.cpu", "server.web?1.load"),
    *("server.[!w]*.*", "server.*.cpu.user", "server.{db,web}0[1-2].{cpu,mem}.*", "server.db01", "server.db01.load"),
    *("nosuch.*", "server.nosuch", "names.*", "*.*", "server.*.*.*.*", "server.**", "server.**.user"),
    *("server.**.cpu.*", "server.db01.**", "disk.used;dc=ams;host=a1", "disk.used;dc=no"),
]
# What fits an empty text is no tag, too.
MAY_BE_EMPTY = [
    *("env=", "env!=", "env=~", "env!=~", "env=~^", "env!=~^", "env=~^$", "env!=~^$", "env=~.*", "env!=~.*"),
    *("env=~.%2B", "env!=~.%2B", "env=~(prod)?", "env!=~(prod)?", "env=~^$|prod", "env!=~^$|prod", "env=prod"),
    *("env!=prod", "env=~prod", "env!=~prod", "env!=~x", "nosuch=", "nosuch!=", "nosuch=~", "nosuch!=~x"),
]
REQUESTS = [
    *(f"/metrics/find?query={query}&format=json" for query in FINDS),
    *(f"/metrics/find?query={query}" for query in FINDS if "**" not in query and query != "*.*"),
    "/metrics/find?query=server.*&format=pickle",
    *(f"/metrics/find?query={query}&format=msgpack" for query in ("server.*", "server.*.load")),
    *(
        f"/metrics/find?query={query}&format=completer"
        for query in ("serv", "server.", "server.w", "server.db01.c", "server..load")
    ),
    "/metrics/find?query=server.*&format=completer&wildcards=1",
    "/metrics/find?query=server.db01,web01&format=completer&automatic_variants=1",
    "/metrics/find?query=server.*.cpu.*&format=nodelist",
    "/metrics/find?query=server.*.cpu.*&format=nodelist&position=1",
    "/metrics/find?query=server.*.cpu.*&format=nodelist&position=0",
    "/metrics/find?query=server.*&wildcards=1",
    "/metrics/find?query=server.db01.cpu.*&wildcards=1",
    "/metrics/find?query=server.db01&wildcards=1",
    "/metrics/find?query=server.*.*&leavesOnly=1&format=json",
    "/metrics/find?query=server.*&from=-1h&until=now",
    "/metrics/find?query=server.*&from=-1&until=-1",
    "/metrics/find?query=server.*&from=yesterday&until=x",
    "/metrics/find?query=",
    "/metrics/find",
    "/metrics/find?query=*&format=bogus",
    "/metrics?query=server.*",
    "/metrics/expand?query=server.*.load&query=step.*",
    "/metrics/expand?query=server.*.load&query=step.*&query=nosuch.*&groupByExpr=1",
    "/metrics/expand?query=server.*.*&leavesOnly=1",
    "/metrics/expand?query=server.**.user",
    "/metrics/index.json",
    "/tags",
    "/tags?filter=d",
    "/tags?filter=^(dc|code)&limit=1",
    "/tags?filter=nosuch",
    "/tags/dc",
    "/tags/host?filter=a",
    "/tags/host?filter=.1&limit=1",
    "/tags/nosuch",
    "/tags/findSeries?expr=name=disk.used",
    "/tags/findSeries?expr=name=disk.used&expr=dc=ams&expr=host!=a1",
    "/tags/findSeries?expr=dc=~a&expr=name!=~.*total",
    "/tags/findSeries?expr=env=&expr=method!=",
    "/tags/findSeries?expr[]=host=~a[12]&expr[]=dc!=fra",
    "/tags/findSeries?expr=code=~4|2",
    "/tags/findSeries?expr=name=nosuch",
    "/tags/findSeries?expr=dc!=ams",
    *(f"/tags/findSeries?expr=name=http.requests&expr={each}" for each in MAY_BE_EMPTY),
    *(f"/tags/findSeries?expr=code=~.&expr={each}&expr=method!=PUT" for each in MAY_BE_EMPTY[:8]),
    *(f"/tags/findSeries?expr={each}" for each in MAY_BE_EMPTY),
    *(f"/tags/findSeries?expr=host{operator}^x|1" for operator in ("=~", "!=~")),
    "/tags/findSeries?expr=name=disk.used&expr=host!=~^x|1",
    "/tags/findSeries?expr=host=~x|1",
    "/tags/findSeries?expr=host!=~^$|^a|1",
    "/tags/findSeries?expr=name=disk.used&expr=name!=disk.used",
    "/tags/findSeries?expr=dc=ams&expr=dc=fra",
    "/tags/findSeries?expr==ams",
    "/tags/findSeries?expr=",
    "/tags/findSeries?expr=dc",
    "/tags/findSeries",
    "/tags/autoComplete/tags",
    "/tags/autoComplete/tags?tagPrefix=h",
    "/tags/autoComplete/tags?tagPrefix=nosuch",
    "/tags/autoComplete/tags?limit=2",
    "/tags/autoComplete/tags?tagPrefix=h&expr=name=disk.used&limit=5",
    "/tags/autoComplete/tags?expr=name=http.requests",
    "/tags/autoComplete/tags?expr=name=http.requests&expr=env=prod&limit=1",
    "/tags/autoComplete/tags?expr=name=nosuch",
    "/tags/autoComplete/values?tag=dc",
    "/tags/autoComplete/values?tag=host&valuePrefix=a",
    "/tags/autoComplete/values?tag=host&valuePrefix=a&expr=dc=ams",
    "/tags/autoComplete/values?tag=host&limit=2",
    "/tags/autoComplete/values?tag=method&expr=code=200",
    "/tags/autoComplete/values?tag=env&expr=name=http.requests",
    *(
        f"/tags/autoComplete/{what}&expr=name=http.requests&expr=env{each}"
        for what in ("tags?tagPrefix=", "values?tag=env", "values?tag=method")
        for each in ("=", "!=", "=~", "!=~^$", "!=~.%2B", "!=prod")
    ),
    "/tags/autoComplete/values?tag=env&expr=env!=",
    "/tags/autoComplete/values?tag=env&expr=code!=~x",
    "/tags/autoComplete/values?tag=host&expr=host=a1",
    "/tags/autoComplete/values?tag=host&expr=host=a1&valuePrefix=b",
    "/tags/autoComplete/values?tag=host&expr=dc=ams&limit=0",
    "/tags/autoComplete/tags?expr=dc=ams&limit=0",
    "/tags/autoComplete/tags?limit=0",
    "/tags/autoComplete/tags?expr=env=",
    "/tags?filter=^x|o",
    "/tags?filter=x|o",
    "/tags/host?filter=^x|1",
    "/tags/autoComplete/values?tag=nosuch",
    "/tags/autoComplete/values?tag=name&valuePrefix=disk",
    "/tags/autoComplete/values",
]


@pytest.mark.parametrize("request_", REQUESTS)
def test_answers_are_the_same(rondo: ApiClient, web: ApiClient, request_: str) -> None:
    path, _, query = request_.partition("?")
    ours, theirs = (each.get(path, **parse_qs(query, keep_blank_values=True)) for each in (rondo, web))
    if theirs.status in (400, 500):
        assert ours.status == 400, ours.text
    else:
        assert (ours.status, theirs.status) == (200, 200), ours.text
        assert ours.headers.get_content_type() == theirs.headers.get_content_type()
        assert comparable(ours) == comparable(theirs)


def comparable(response: Response) -> Any:
    """Parts of the response that must be the same.

    Not the intervals of leaves, which are objects of graphite-web's own in its pickle; nor the directory of tagged
    series, which it shows; nor the ids of tags and values. Of ``names``, a leaf and a branch, it tells one at random.
    """
    match response.headers.get_content_type():
        case "application/pickle":
            found = pickle.loads(response.body)  # noqa: S301 - of servers that the test has started
        case "application/x-msgpack":
            found = msgpack.unpackb(response.body)
        case _:
            found = json.loads(response.body)
    if isinstance(found, dict) and "values" in found:
        found["values"] = [{**value, "id": None} for value in found["values"]]
        found["id"] = None
    if isinstance(found, list) and found and isinstance(found[0], str):
        return [each for each in found if not each.startswith("_tagged")]
    if not isinstance(found, list) or not found or not isinstance(found[0], dict):
        return found
    if "tag" in found[0]:
        return [each["tag"] for each in found]
    if "text" in found[0]:
        nodes = [each for each in found if not each["id"].startswith("_tagged")]
        return sorted([each for each in nodes if each["id"] != "names"], key=lambda each: str(each["id"]))
    nodes = [(each["path"], each["is_leaf"], "intervals" in each) for each in found]
    return sorted(node for node in nodes if not node[0].startswith("_tagged"))
