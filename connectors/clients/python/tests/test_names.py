import pytest

from rondo_client.names import Names, series, tags_of
from rondo_client.settings import Settings

NAMES = Names("shop", tags_of("host=web01; dc=ams"))


def test_sorts_the_tags_of_the_client_and_of_the_series() -> None:
    assert NAMES.ident("orders", {"by": "card"}) == "shop.orders;by=card;dc=ams;host=web01"
    assert NAMES.key() == "shop;dc=ams;host=web01"
    assert series("shop.pay;host=web01", ".p99") == b"shop.pay.p99;host=web01"


@pytest.mark.parametrize(
    ("name", "key", "value", "message"),
    [
        ("orders..paid", "by", "card", "name 'orders..paid' has an empty node"),
        ("", "by", "card", "name '' has an empty node"),
        ("orders paid", "by", "card", "name 'orders paid' has the invalid character U\\+0020 at 6"),
        ("orders", "b=y", "card", "key of a tag 'b=y' has the invalid character U\\+003D at 1"),
        ("orders", "name", "card", "has the invalid key 'name'"),
        ("orders", "by", "", "tag 'by' has no value"),
        ("orders", "by", "a;b", "value of tag 'by' 'a;b' has the invalid character U\\+003B at 1"),
        ("orders", "by", "~a", "value of tag 'by' '~a' begins with ~"),
        ("orders", "by", "\ud800", "has the invalid character U\\+D800 at 0"),
        ("orders", "dc", "fra", "tag 'dc' of 'orders' is already a tag of all series"),
        ("x" * 1000, "by", "card", "series of 1037 bytes, more than 1024"),
    ],
)
def test_names_the_invalid_part(name: str, key: str, value: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NAMES.ident(name, {key: value})


def test_publishes_to_points_by_default() -> None:
    assert Settings.of({"rondo.client.tags": "host=web01"}).topic == "points"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rondo.client.tag", "host=web01", "did you mean 'rondo.client.tags'"),
        ("rondo.client.tags", "", "set rondo.client.prefix or rondo.client.tags"),
        ("rondo.client.tags", "web01", "'web01' is not a tag k=v"),
        ("rondo.client.step.ms", 10, "rondo.client.step.ms 10 is less than 1000"),
        ("rondo.client.max.metrics", "many", "rondo.client.max.metrics 'many' is not a whole number"),
    ],
)
def test_names_the_invalid_setting(key: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings.of({"rondo.client.tags": "host=web01", key: value})
