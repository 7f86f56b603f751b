"""A tenant gets the responses of a database with only its series and events: nothing reveals the others."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from . import tenant_requests
from .examples import examples
from .tenant_requests import NAMES_OF_FUNCTIONS, Request
from .tenants import Tenants, clients

# With RONDO_TEST_TENANT_EXAMPLES=20000 the same for an hour.
EXAMPLES = int(os.environ.get("RONDO_TEST_TENANT_EXAMPLES", examples(50)))
# Functions of one test.
SOME = 8
TIGHT = {"find_max_nodes": 9, "max_series": 5, "max_events": 1, "max_targets": 2}


@pytest.fixture(scope="module")
def tenants(tenant_urls: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tenants]:
    """Tenants of an API with usual limits, and of one with limits that are soon reached."""
    directory = tmp_path_factory.mktemp("tenants")
    return {"usual": clients(tenant_urls, directory), "tight": clients(tenant_urls, directory, **TIGHT)}


def check(tenants: Tenants, request: Request) -> None:
    """Compare the responses to both tenants; the first one asks again, when the other one's response is cached."""
    for tenant in "aba":
        shared, alone = tenants.both(tenant, *request)
        assert shared == alone, tenant


@pytest.mark.parametrize("first", range(0, len(NAMES_OF_FUNCTIONS), SOME))
@settings(max_examples=max(2, EXAMPLES // 25))  # the first example has the plainest arguments
@given(data=st.data())
def test_functions(tenants: dict[str, Tenants], first: int, data: st.DataObject) -> None:
    for function in NAMES_OF_FUNCTIONS[first : first + SOME]:
        check(tenants["usual"], data.draw(tenant_requests.renders(function)))


@pytest.mark.parametrize("endpoint", tenant_requests.OTHERS)
@settings(max_examples=max(8, EXAMPLES // 6))
@given(data=st.data())
def test_other_endpoints(tenants: dict[str, Tenants], endpoint: str, data: st.DataObject) -> None:
    check(tenants["usual"], data.draw(tenant_requests.OTHERS[endpoint]))


@settings(max_examples=EXAMPLES)
@given(request=st.one_of(tenant_requests.FINDS, tenant_requests.EXPANDS, tenant_requests.renders()))
def test_limits(tenants: dict[str, Tenants], request: Request) -> None:
    check(tenants["tight"], request)
