"""Fetching over TLS, which is what every deployment has between itself and its provider."""

import ssl
import threading
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from django.utils import timezone

from accounts.tokens import fetching
from accounts.tokens.fetching import FetchError
from accounts.tokens.jwks import fetch_keys
from tests import identity_provider as idp
from tests.identity_provider import Handler, Provider
from tests.provider_faults import DRIPPING, slowly


def certificate(path: Path) -> Path:
    """Write a certificate of 127.0.0.1, signed by itself, with its key. Return where."""
    key: Any = idp.private_key("ec")
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a provider")])
    now = timezone.now()
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    pem = serialization.Encoding.PEM
    path.write_bytes(signed.public_bytes(pem) + key.private_bytes(pem, *form))
    return path


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[Provider]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path / "provider.pem"))
    with idp.running(context) as provider:
        yield provider


@pytest.fixture
def trusted(encrypted: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "provider.pem"))


@pytest.mark.usefixtures("trusted")
def test_a_host_in_no_proxy_is_reached_without_the_proxy(encrypted: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetch_keys(f"{encrypted.url}/jwks").keys() == {"rsa", "ec", "ed"}
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert fetch_keys(f"{encrypted.url}/jwks").keys() == {"rsa", "ec", "ed"}
    monkeypatch.delenv("no_proxy")
    with pytest.raises(FetchError, match="refused"):
        fetch_keys(f"{encrypted.url}/jwks")


def test_a_certificate_that_nobody_vouches_for_or_that_is_of_another_host_is_refused(
    encrypted: Provider, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(FetchError, match="CERTIFICATE_VERIFY_FAILED"):
        fetch_keys(f"{encrypted.url}/jwks")
    request.getfixturevalue("trusted")
    with pytest.raises(FetchError, match="CERTIFICATE_VERIFY_FAILED"):
        fetch_keys(f"{encrypted.url}/jwks".replace("127.0.0.1", "localhost"))
    assert encrypted.requested == []


@pytest.mark.usefixtures("trusted")
def test_an_answer_that_drips_over_tls_is_given_up_and_its_connection_closed(
    encrypted: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT", 0.3)
    closed = threading.Event()

    def write(handler: Handler) -> None:
        slowly(DRIPPING["a body"])(handler)
        closed.set()

    encrypted.answers["/jwks"] = write
    with pytest.raises(FetchError, match="takes too long"):
        fetch_keys(f"{encrypted.url}/jwks")
    closed.wait()
