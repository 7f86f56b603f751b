import json
import sys

import pytest

from rondo_bench import client


def test_updates_are_measured_and_retain_no_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["client", "--updates=1000", "--rounds=2", "--json"])
    client.main()
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["update"] for each in found] == list(client.UPDATES)
    assert all(each["kept_blocks"] < each["updates"] / 10 for each in found)


def test_numbers_below_one_are_rejected(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["client", "--rounds=0"])
    with pytest.raises(SystemExit):
        client.main()
    assert "--rounds" in capsys.readouterr().err
