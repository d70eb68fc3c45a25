"""What a process keeps between requests. Tests empty it: their settings and rows come and go."""

from accounts.signing_in.provider_client import provider_client
from accounts.tokens.verifier import decode_once, get_verifier
from config.edge.limits.exports import dear_reads, permits
from config.edge.limits.read_limit import read_limiter
from config.edge.observability.readiness import readiness
from config.edge.security.client_address import trusted_proxies
from config.values.redaction import name_in_logs
from deals.authentication import refused_keys
from pages.sharing.pictures import picture


def forget() -> None:
    """Begin each test as a process that has just started."""
    for function in (provider_client, decode_once, get_verifier, read_limiter, trusted_proxies, name_in_logs, picture):
        function.cache_clear()
    for kept in (permits, dear_reads, readiness, refused_keys):
        kept.forget()
