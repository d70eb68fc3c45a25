"""The client of HTTP: its deadline, its limit, the way to a server that it is told, and whose certificates it trusts.

The identity provider's documents and the webhooks go through it.
"""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from django.utils import timezone
from pytest import MonkeyPatch

from config.http_client import RequestFailed, ServerResponse, send_request
from tests import identity_provider as idp
from tests.identity_provider import Handler, Provider
from tests.provider_faults import DRIPPING, slowly


@pytest.fixture
def server() -> Iterator[Provider]:
    with idp.running() as running:
        yield running


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
def encrypted(tmp_path: Path, monkeypatch: MonkeyPatch) -> Iterator[Provider]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path / "server.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    with idp.running(context) as running:
        yield running


def get(url: str, *, max_seconds: float = 300, max_bytes: int = 1000, **options: Any) -> ServerResponse:
    return send_request("GET", url, {}, max_seconds=max_seconds, max_bytes=max_bytes, **options)


def test_an_answer_that_comes_a_byte_at_a_time_ends_with_the_deadline(server: Provider, encrypted: Provider) -> None:
    """The server writes until the client has closed the connection."""
    for provider, drip in (*((server, drip) for drip in DRIPPING.values()), (encrypted, DRIPPING["a body"])):
        closed = threading.Event()

        def write(handler: Handler, drip: Any = drip, closed: threading.Event = closed) -> None:
            slowly(drip)(handler)
            closed.set()

        provider.answers["/"] = write
        with pytest.raises(RequestFailed, match="takes too long"):
            get(provider.url, max_seconds=0.2, max_bytes=10_000)
        closed.wait()


def test_a_proxy_that_answers_a_byte_at_a_time_ends_with_the_deadline(
    server: Provider, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(Handler, "do_CONNECT", slowly(DRIPPING["a header"]))
    monkeypatch.setenv("https_proxy", server.url)
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(RequestFailed, match="takes too long"):
        get("https://id.example/", max_seconds=0.2, use_proxy=True)


def test_a_server_that_takes_the_connection_and_says_nothing_ends_with_the_deadline() -> None:
    for scheme in ("http", "https"):
        with idp.listening() as port, pytest.raises(RequestFailed, match="takes too long"):
            get(f"{scheme}://127.0.0.1:{port}/", max_seconds=0.1)


def test_an_answer_that_is_too_large_is_cut_and_says_so(server: Provider) -> None:
    server.says(b"x" * 1000, path="/")
    for limit, is_truncated in ((999, True), (1000, False)):
        assert get(server.url, max_bytes=limit) == ServerResponse(200, b"x" * limit, is_truncated=is_truncated)


def test_every_status_is_an_answer_and_no_redirect_is_followed(server: Provider) -> None:
    for status in (302, 404, 500):
        server.says(b"{}", status, path="/a?b=c", Location="/other")
        assert get(f"{server.url}/a?b=c") == ServerResponse(status, b"{}", is_truncated=False)
    assert server.requested == ["/a?b=c"] * 3


def test_with_an_address_no_host_is_looked_up_and_the_certificate_must_be_that_of_the_host(encrypted: Provider) -> None:
    hosts = []

    def write(handler: Handler) -> None:
        hosts.append(handler.headers["Host"])
        handler.send(200, {}, b"")

    encrypted.answers["/"] = write
    assert get(encrypted.url, address="127.0.0.1").status == 200
    with pytest.raises(RequestFailed, match="CERTIFICATE_VERIFY_FAILED"):
        get(encrypted.url.replace("127.0.0.1", "nowhere.invalid"), address="127.0.0.1")
    with idp.running() as plain:
        plain.answers["/"] = write
        assert get(f"http://nowhere.invalid:{plain.server_port}", address="127.0.0.1").status == 200
    assert hosts == [f"127.0.0.1:{encrypted.server_port}", f"nowhere.invalid:{plain.server_port}"]


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(
    encrypted: Provider, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(RequestFailed, match="CERTIFICATE_VERIFY_FAILED"):
        get(encrypted.url)
    assert encrypted.requested == []


@contextmanager
def tunnelling(target: int) -> Iterator[tuple[str, list[bytes]]]:
    """Serve one client as a proxy that leads to this port. Yield its URL, and the first line that it is sent."""
    lines: list[bytes] = []

    def copy(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):  # a client that does not trust the certificate breaks off
            while data := source.recv(65536):
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def serve() -> None:
        client, _ = listener.accept()
        with client, socket.create_connection(("127.0.0.1", target)) as server:
            lines.append(client.recv(65536).split(b"\r\n")[0])
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=copy, args=(server, client))
            back.start()
            copy(client, server)
            back.join()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", lines
        thread.join()


def test_a_proxy_leads_to_the_server_whose_certificate_is_checked(
    encrypted: Provider, monkeypatch: MonkeyPatch
) -> None:
    encrypted.says(b"{}", path="/")
    monkeypatch.setenv("no_proxy", "")
    with tunnelling(encrypted.server_port) as (proxy, lines):
        monkeypatch.setenv("https_proxy", proxy)
        assert get("https://127.0.0.1/", use_proxy=True) == ServerResponse(200, b"{}", is_truncated=False)
    assert lines[0].startswith(b"CONNECT 127.0.0.1:443 ")
    with tunnelling(encrypted.server_port) as (proxy, lines):
        monkeypatch.setenv("https_proxy", proxy)
        with pytest.raises(RequestFailed, match="CERTIFICATE_VERIFY_FAILED"):
            get("https://[::1]/", use_proxy=True)
    assert lines[0].startswith(b"CONNECT [::1]:443 ")


def test_a_host_in_no_proxy_is_reached_without_the_proxy(encrypted: Provider, monkeypatch: MonkeyPatch) -> None:
    encrypted.says(b"{}", path="/")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert get(encrypted.url, use_proxy=True).status == 200
    monkeypatch.delenv("no_proxy")
    with pytest.raises(RequestFailed, match="refused"):
        get(encrypted.url, use_proxy=True)


def test_what_is_no_url_is_a_request_that_failed() -> None:
    for url in ("https://", "https://[", "http://127.0.0.1:99999/", "http://127.0.0.1/a b"):
        with pytest.raises(RequestFailed):
            get(url)
