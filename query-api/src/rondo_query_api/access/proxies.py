"""Trusted proxies: their header names the user, and their connections carry many clients."""

from ipaddress import ip_address, ip_network

from ..settings import Settings, split_list


class Proxies:
    """Addresses and networks of RONDO_API_TRUSTED_PROXIES."""

    def __init__(self, settings: Settings) -> None:
        self._networks = [ip_network(each, strict=False) for each in split_list(settings.trusted_proxies)]

    def __contains__(self, address: str | None) -> bool:
        """Whether a trusted proxy has the address."""
        try:
            return any(ip_address(address or "") in network for network in self._networks)
        except ValueError:
            return False
