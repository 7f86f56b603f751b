import pytest

from choose import UnknownTestError, choose

FILES = [
    "topology/formats/src/test/java/dev/rondo/formats/GraphiteDecoderTest.java",
    "topology/tools/src/test/java/dev/rondo/tools/SeriesIT.java",
    "deploy/local/src/test/java/dev/rondo/local/SeriesIT.java",
    "deploy/local/src/test/java/dev/rondo/local/ApiClient.java",
    "query-api/tests/test_find.py",
    "query-api/tests/browser.py",
    "loadgen/verify/tests/test_model.py",
]


def test_classes_are_found_with_their_modules() -> None:
    choice = choose(FILES, ["GraphiteDecoderTest", "SeriesIT#shouldRename"])
    assert choice.lines() == [
        "modules\ttopology/formats,topology/tools,deploy/local",
        "unit\tGraphiteDecoderTest",
        "it\tSeriesIT#shouldRename",
    ]


@pytest.mark.parametrize("name", ["dev.rondo.formats.GraphiteDecoderTest", FILES[0]])
def test_class_can_be_named_with_its_package(name: str) -> None:
    assert choose(FILES, [name]).unit == ["GraphiteDecoderTest"]


def test_python_tests_run_in_their_folder() -> None:
    choice = choose(FILES, ["query-api/tests/test_find.py::test_glob[a b]", "loadgen/verify/tests"])
    assert choice.lines() == [
        "pytest\tquery-api\ttests/test_find.py::test_glob[a b]",
        "pytest\tloadgen/verify\ttests",
    ]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("GraphiteDecodrTest", "nearest: GraphiteDecoderTest"),
        ("query-api/tests/test_fnd.py", "nearest: query-api/tests/test_find.py"),
        ("ApiClient", "there is no test 'ApiClient'"),
        ("tests/test_find.py", "nearest: query-api/tests/test_find.py"),
    ],
)
def test_unknown_name_is_rejected_with_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnknownTestError, match=nearest):
        choose(FILES, [name])
