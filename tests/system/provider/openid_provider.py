"""npm's oidc-provider as a process of this test run."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import get_default_algorithms

HERE = Path(__file__).parent
CLIENTS = {"web-rs256": "RS256", "web-es256": "ES256", "web-eddsa": "EdDSA"}


def private_jwk(kid: str, algorithm: str) -> dict[str, Any]:
    key: Any = {
        "RS256": lambda: rsa.generate_private_key(65537, 2048),
        "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate,
    }[algorithm]()
    written = get_default_algorithms()[algorithm].to_jwk(key, as_dict=True)
    members = {name: value for name, value in written.items() if name != "key_ops"}
    return {**members, "kid": kid, "use": "sig"}


class OpenIdProvider:
    """A provider that keeps its address through stops and starts. What was signed in is forgotten at a stop."""

    def __init__(
        self,
        folder: Path,
        people: Mapping[str, Mapping[str, Any]],
        more_clients: Sequence[Mapping[str, Any]] = (),
        logins: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.folder = folder
        self.people = people
        self.more_clients = more_clients
        self.logins = logins or {}
        self.names_in_id_tokens = True
        self.issuer = ""
        self.port = 0
        self.keys: Sequence[Mapping[str, Any]] = ()
        self.process: subprocess.Popen[str] | None = None

    def start(self, keys: Sequence[Mapping[str, Any]]) -> None:
        self.keys = keys
        self.process = subprocess.Popen(
            ["node", str(HERE / "server.mjs")],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it warns on each line that it is not a provider for production
            text=True,
            env={name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"},
        )
        assert self.process.stdin and self.process.stdout
        told = {"port": self.port, "keys": keys, "clients": CLIENTS, "people": self.people, "logins": self.logins}
        told |= {"moreClients": self.more_clients, "namesInIdTokens": self.names_in_id_tokens}
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the provider did not start: run tests/system/provider/server.mjs by hand"
        self.issuer = json.loads(line)["issuer"]
        self.port = int(self.issuer.rpartition(":")[2])

    def stop(self) -> None:
        if self.process is not None:
            assert self.process.stdin and self.process.stdout
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop for as long as the block lasts. It may change the keys and the clients."""
        self.stop()
        try:
            yield
        finally:
            self.start(self.keys)

    @property
    def discovery(self) -> str:
        return f"{self.issuer}/.well-known/openid-configuration"
