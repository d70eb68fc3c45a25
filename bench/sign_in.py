"""Guess at an admin's password from one address and from everywhere, and see who still gets in.

TEST_REDIS_URL=redis://127.0.0.1:6379/9 python -m bench.sign_in

A gunicorn of two processes counts in Redis, whose database is emptied first. DATABASE_URL names a scratch database. The
addresses of the guesses are those of X-Forwarded-For, since the service trusts this machine as its proxy.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from tests.system import deployment

PASSWORD = "correct horse battery"
PREPARE = f"""
import django; django.setup()
from django.core.cache import cache
from accounts.models import Account
cache.clear()
boss, _ = Account.objects.update_or_create(pk="boss", defaults={{"role": "admin"}})
boss.set_password({PASSWORD!r})
boss.save()
"""
GUESSES = 400
"""Twice the limit of a bare name (config.admin.attempts)."""


class Visitor:
    """A browser at an address, with its own cookies."""

    def __init__(self, port: int, address: str) -> None:
        self.port = port
        self.headers = {"X-Forwarded-For": address, "Content-Type": "application/x-www-form-urlencoded"}
        self.cookies: SimpleCookie = SimpleCookie()

    def post(self, password: str) -> int:
        """Try to log in. Return the status: 302 in, 200 wrong, 429 limited, 503 while others are being hashed."""
        if "csrftoken" not in self.cookies:
            self.send("GET", "")
        typed = {"username": "boss", "password": password}
        token = {"csrfmiddlewaretoken": self.cookies["csrftoken"].value}
        return self.send("POST", urlencode({**typed, **token}))

    def send(self, method: str, body: str) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        cookies = "; ".join(f"{name}={each.value}" for name, each in self.cookies.items())
        connection.request(method, "/admin/login/?next=/admin/", body, {**self.headers, "Cookie": cookies})
        response = connection.getresponse()
        response.read()
        for header in response.headers.get_all("Set-Cookie", []):
            self.cookies.load(header)
        connection.close()
        return response.status


def report(step: str, result: object) -> None:
    sys.stdout.write(f"{step} {result}\n")


def guess(port: int, addresses: list[str]) -> Counter[int]:
    """Guess once from each address, sixteen at a time. Return how often each status came."""
    with ThreadPoolExecutor(16) as pool:
        return Counter(pool.map(lambda address: Visitor(port, address).post("a guess"), addresses))


def attack(port: int, log: Path) -> None:
    def until_hashed(visitor: Visitor) -> int:
        while (status := visitor.post(PASSWORD)) == 503:
            pass
        return status

    device = Visitor(port, "198.51.100.1")
    report("the admin's device logs in:", until_hashed(device))
    report("60 guesses from one address:", dict(guess(port, ["192.0.2.7"] * 60)))
    report("the right password there:", until_hashed(Visitor(port, "192.0.2.7")))
    report("the right password elsewhere:", until_hashed(Visitor(port, "198.51.100.2")))
    everywhere = [f"203.{n // 250}.113.{n % 250 + 1}" for n in range(GUESSES)]
    report(f"{GUESSES} guesses from as many addresses:", dict(guess(port, everywhere)))
    report("the right password of a stranger:", until_hashed(Visitor(port, "198.51.100.3")))
    report("the right password on the admin's device:", until_hashed(device))
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line[:1] == "{"]
    report("alarms:", [line for line in lines if line["logger"] == "security"])


def main() -> None:
    redis = os.environ.get("TEST_REDIS_URL")
    if not redis:
        sys.exit("Name a Redis database that may be emptied: TEST_REDIS_URL=redis://127.0.0.1:6379/9")
    with deployment.database() as url, tempfile.TemporaryDirectory() as folder:
        shared = {"CACHE_URL": redis, "TRUSTED_PROXIES": "127.0.0.1/32", "WEB_CONCURRENCY": "2"}
        environment = deployment.of(url, "", **shared)
        subprocess.run([sys.executable, "-c", PREPARE], cwd=deployment.ROOT, env=environment, check=True)
        log = Path(folder) / "log"
        with log.open("wb") as file, deployment.gunicorn(environment, file) as port:
            attack(port, log)


if __name__ == "__main__":
    main()
