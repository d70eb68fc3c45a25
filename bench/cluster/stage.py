"""The cluster: two app groups behind nginx, PgBouncer, three database machines, Redis, two workers, the provider."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.cluster.machines import POSTGRESQL, Machines
from bench.cluster.parts import Part, app_group, database_url, link, pgbouncer, redis_server
from tests.installed import npm_packages
from tests.system import nginx as proxy
from tests.system.deployment import ROOT, free_port
from tests.system.guides.service import FILL, deploy
from tests.system.postgresql_servers import new_folder, send
from tests.system.provider.browser import sign_in
from tests.system.provider.conftest import PEOPLE, RESOURCE
from tests.system.provider.openid_provider import CLIENTS, HERE, OpenIdProvider, private_jwk

WORKER = (sys.executable, "manage.py", "run_worker")
VOTERS = ("alice", "bob", "carol", "dan")


class Provider(Part):
    """npm's oidc-provider. It keeps its keys when it starts again, and so do the tokens that it gave."""

    def __init__(self, folder: Path) -> None:
        super().__init__("the provider", [], folder / "provider.log")
        people = {name: PEOPLE.get(name, {}) for name in VOTERS}
        self.openid = OpenIdProvider(npm_packages(HERE), people)
        self.keys = [private_jwk(f"key {algorithm}", algorithm) for algorithm in CLIENTS.values()]

    def start(self) -> None:
        self.openid.start(self.keys)
        self.process = self.openid.process  # type: ignore[assignment]  # its pipes carry text

    def kill(self) -> None:
        self.openid.stop()

    def end(self) -> None:
        send(self.pids, signal.SIGCONT)
        self.openid.stop()


@dataclass
class Stage:
    """All parts."""

    machines: Machines
    pooler: Part
    groups: list[Part]
    group_links: list[Part]
    workers: list[Part]
    redis: Part
    provider: Provider
    front: Part
    base: str
    boards: list[str] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str) -> int:
        """Run a program of this repository with the database."""
        env = deploy(database_url("127.0.0.1", self.machines.port))
        return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, check=False).returncode

    @property
    def parts(self) -> Sequence[Part]:
        service = [*self.group_links, *self.groups, *self.workers]
        return [self.redis, self.provider, self.pooler, *service, self.front]


@contextmanager
def stage(say: Callable[[str], None]) -> Iterator[Stage]:
    """Start everything, and end it afterwards."""
    with ExitStack() as stack:
        folder = stack.enter_context(new_folder())
        folder.chmod(0o755)
        built = build(folder)
        for part in (*built.machines.parts, *built.parts):
            stack.callback(part.end)
        say("starting three machines with etcd, Patroni and PostgreSQL, and haproxy")
        built.machines.start()
        if built.run("-c", FILL):
            raise SystemExit("The database was not filled.")
        for part in built.parts:
            say(f"starting {part.name}")
            part.start()
        rows = built.machines.fetch("SELECT id FROM boards_board WHERE published_at IS NOT NULL ORDER BY id")
        built.boards = [str(pk) for (pk,) in rows]
        issuer = built.provider.openid.issuer
        for name in VOTERS:
            signed_in = sign_in(issuer, name, client="web-es256", resource=RESOURCE)
            built.tokens[name] = signed_in["access_token"]
        yield built


def build(folder: Path) -> Stage:
    """Return the parts, not started yet but for the links."""
    machines = Machines(folder)
    pooler, pooler_port = pgbouncer(folder, machines.port)
    redis, redis_port = redis_server(folder)
    provider = Provider(folder)
    provider.start()  # its port is part of the settings
    issuer = provider.openid.issuer
    provider.openid.stop()
    env = {
        **deploy(""),
        "JWT_SHARED_SECRET": "",
        "JWT_ALGORITHMS": "",
        "JWT_JWKS_URL": provider.openid.discovery,
        "JWT_ISSUER": issuer,
        "JWT_AUDIENCE": RESOURCE,
        "JWT_TOKEN_TYPE": "at+jwt",
        "CACHE_URL": f"redis://127.0.0.1:{redis_port}/0",
        "DATABASE_POOLED": "true",
        "DATABASE_REPLICA_URLS": ",".join(database_url(each.front, POSTGRESQL) for each in machines.all),
        "TRUSTED_PROXIES": "127.0.0.1/32",
        "ALLOWED_HOSTS": "127.0.0.1",
        "WEB_CONCURRENCY": "2",
        "READ_RATE": "",
        "WRITE_RATE": "",
        "FORM_RATE_PER_CLIENT": "100000/m",
        "FORM_RATE_IN_TOTAL": "100000/m",
    }
    groups, ports, links = [], [], []
    for name in ("group one", "group two"):
        seen = free_port()
        line = {("127.0.0.1", seen): ("127.0.0.1", pooler_port)}
        links.append(link(f"{name} to PgBouncer", line, folder))
        group, port = app_group(name, {**env, "DATABASE_URL": database_url("127.0.0.1", seen)}, folder)
        groups.append(group)
        ports.append(port)
    for_workers = {**env, "DATABASE_URL": database_url("127.0.0.1", pooler_port)}
    workers = [Part(f"worker {name}", WORKER, folder / f"{name}.log", for_workers) for name in ("one", "two")]
    front, base = front_of(ports, folder)
    return Stage(machines, pooler, groups, links, workers, redis, provider, front, base)


def front_of(ports: list[int], folder: Path) -> tuple[Part, str]:
    """Return nginx with the configuration of deploy/, and its address."""
    http, https = free_port(), free_port()
    conf = folder / "nginx.conf"
    conf.write_text(proxy.configuration(folder, ports, http, https, "off"))
    command = [proxy.NGINX or "nginx", "-c", conf, "-p", folder, "-g", "daemon off;"]
    return Part("nginx", command, folder / "nginx.log"), f"https://127.0.0.1:{https}"
