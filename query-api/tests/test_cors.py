"""CORS: pages of other origins call the API from a browser."""

import pytest
from werkzeug.test import TestResponse

from .in_process import client

GRAFANA = "https://grafana.example"
SENT = "authorization,x-dashboard-id,x-grafana-org-id,x-panel-id"


def preflight(database_url: str, origins: str, origin: str) -> TestResponse:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": SENT,
    }
    return client(database_url, allowed_origins=origins, tokens="t").options("/render", headers=headers)


@pytest.mark.parametrize("origins", ["*", GRAFANA, f"https://other.example, {GRAFANA}"])
def test_an_allowed_origin_is_accepted(database_url: str, origins: str) -> None:
    asked = preflight(database_url, origins, GRAFANA)
    assert asked.status_code == 200
    assert asked.headers["Access-Control-Allow-Origin"] in (GRAFANA, "*")
    assert asked.headers["Access-Control-Allow-Headers"].replace(" ", "") == SENT
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    assert ("Access-Control-Allow-Credentials" in asked.headers) is (origins != "*")


@pytest.mark.parametrize("origins", ["", "https://other.example", "https://grafana.example.org"])
def test_other_origins_are_refused(database_url: str, origins: str) -> None:
    assert "Access-Control-Allow-Origin" not in preflight(database_url, origins, GRAFANA).headers


def test_errors_can_be_read_too(database_url: str) -> None:
    response = client(database_url, allowed_origins="*").get("/render", headers={"Origin": GRAFANA})
    assert (response.status_code, response.headers["Access-Control-Allow-Origin"]) == (400, "*")
    assert "X-Request-Id" in response.headers["Access-Control-Expose-Headers"]
