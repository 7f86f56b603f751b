"""Trusted proxies: those whose header names the user, and whose connections are those of many clients."""

from ipaddress import ip_address, ip_network

from ..settings import Settings, split_list


class Proxies:
    """The addresses and networks of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._networks = [ip_network(each, strict=False) for each in split_list(settings.trusted_proxies)]

    def __contains__(self, address: str | None) -> bool:
        """Whether the address is one of a trusted proxy."""
        try:
            return any(ip_address(address or "") in network for network in self._networks)
        except ValueError:
            return False
