import pytest
from hypothesis import given
from hypothesis import strategies as st

from rondo_query_api.errors import BadRequestError
from rondo_query_api.targets import Call, Literal, Path, Scalar, Template, Tree, escape, first_path, parse

A = Path("a.b")


def literals(*values: Scalar) -> list[Literal]:
    return [Literal(value) for value in values]


def call(name: str, *args: Tree, **kwargs: Tree) -> Call:
    return Call(name, args, kwargs, "")


@pytest.mark.parametrize(
    ("target", "tree"),
    [
        ("a.b", A),
        (" a.b ", A),
        ("a.{b,c.d}.e*", Path("a.{b,c.d}.e*")),
        (r"a.b\ c\(d\)\|e", Path("a.b c(d)|e")),
        ("disk;dc=ams", Path("disk;dc=ams")),
        ("12.a", Path("12.a")),
        ("f(12.a,true.a,none1)", call("f", Path("12.a"), Path("true.a"), Path("none1"))),
        ("f()", call("f")),
        ("f(a.b, 1, -2.5, 1e3, 'x', \"y\")", call("f", A, *literals(1, -2.5, 1000.0, "x", "y"))),
        ("f(True,false,None,inf)", call("f", *literals(True, False, None, float("inf")))),
        ("f(a.b,x=1,y='z')", call("f", A, x=Literal(1), y=Literal("z"))),
        ("f('it\\'s','a,b)')", call("f", Literal("it\\'s"), Literal("a,b)"))),
        ("a.b|f(1)|g()", call("g", call("f", A, Literal(1)))),
        ("f(a.b|g(), 2)", call("f", call("g", A), Literal(2))),
        ("f(g(a.b))|h(2)", call("h", call("f", call("g", A)), Literal(2))),
        ("template(f($1,$x),'a',x=2)", Template(call("f", Path("$1"), Path("$x")), {"1": "a", "x": 2})),
    ],
)
def test_reads(target: str, tree: Tree) -> None:
    assert parse(target) == tree


@pytest.mark.parametrize(
    ("target", "column"),
    [("", 1), ("f(", 3), ("f(a", 4), ("f(a,)", 5), ("f(x=1,a)", 8), ("a|b", 3), ("a b", 3), ("f(a)b", 5), ("f('a)", 3)],
)
def test_a_syntax_error_names_its_column(target: str, column: int) -> None:
    with pytest.raises(BadRequestError, match=f"has a syntax error at column {column}: "):
        parse(target)


@pytest.mark.parametrize(
    ("target", "ending"),
    [
        ("a.b.time_(ms)", r"column 10: '(' is not expected here; in a name, write \(; quote other texts"),
        ("scale(a b,1)", r"column 9: 'b' is not expected here"),
        ("alias(a,'x)", r"""column 9: "'" is not expected here; in a name, write \'; quote other texts"""),
        ("a,b", r"column 2: ',' is not expected here; in a name, write \,; quote other texts"),
        ("scale(a", "column 8: it ends too early"),
    ],
)
def test_an_error_names_the_character_and_how_to_write_it(target: str, ending: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        parse(target)
    assert str(raised.value).endswith(ending)


def test_a_call_keeps_its_text() -> None:
    tree = parse("scale( seriesByTag('a=b', 'c=~d') ,2)")
    assert isinstance(tree, Call)
    assert isinstance(tree.args[0], Call)
    assert tree.args[0].text == "seriesByTag('a=b', 'c=~d')"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("sumSeries(scale(a.b,2),c)", "a.b"),
        ("a.b (avg: 1.0)", "a.b"),
        ("constantLine(5)", None),
        ("seriesByTag('a=b')", None),
        ("f()", None),
        ("(x)", None),
    ],
)
def test_first_path(name: str, path: str | None) -> None:
    assert first_path(name) == path


@given(st.text(min_size=1).filter(lambda name: ".." not in f".{name}.").map("root.{}".format))
def test_an_escaped_name_is_read_back(name: str) -> None:
    assert parse(f"f({escape(name)},1)") == call("f", Path(name), Literal(1))
