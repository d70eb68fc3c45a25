"""The cluster: two app groups behind nginx, PgBouncer, two PostgreSQL servers, Redis, two workers, the provider."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from bench.cluster.link import Link
from bench.cluster.parts import Part, Pooler, app_group, redis_server, tree_of, wait_until, worker
from tests.accounts.provider.browser import sign_in
from tests.accounts.provider.conftest import PEOPLE, RESOURCE
from tests.accounts.provider.openid_provider import CLIENTS, HERE, OpenIdProvider, private_jwk
from tests.installed import npm_packages
from tests.system import nginx as proxy
from tests.system.deployment import ROOT
from tests.system.guides.service import deploy
from tests.system.postgresql_servers import (
    Server,
    create_filled,
    free_port,
    new_folder,
    primary,
    replica_of,
    send,
)

VOTERS = ("alice", "bob", "carol", "dan")
STANDBYS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


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
    """All parts. `writer` is the server that is written to, `standby` the one that follows it."""

    writer: Server
    standby: Server
    links: dict[int, Link]
    pooler: Pooler
    groups: list[Part]
    group_links: list[Link]
    workers: list[Part]
    redis: Part
    provider: Provider
    front: Part
    base: str
    boards: list[str] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    needs_standby: bool = False

    # --- PostgreSQL, as Patroni would look after it (synchronous_mode) ---

    def require_standby(self, server: Server, required: bool) -> None:
        """Let commits wait for the standby, or do without one. Nothing acknowledged is lost only where they wait."""
        names = "*" if required else ""
        server.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        server.execute("SELECT pg_reload_conf()")

    def wait_for_standby(self) -> None:
        """Wait until the standby follows, then let commits wait for it."""

        def follows() -> bool:
            try:
                return self.writer.execute(STANDBYS) == [(1,)]
            except psycopg.Error:
                return False

        wait_until(follows, "the standby")
        self.require_standby(self.writer, True)

    def fail_over(self) -> None:
        """Make sure that the writer is dead, promote the standby, and send the pool there."""
        send(list(tree_of(self.writer.pids[0])), signal.SIGKILL)
        self.writer, self.standby = self.standby, self.writer
        self.require_standby(self.writer, False)
        self.writer.promote()
        self.pooler.point_to(self.links[self.writer.port].port)
        self.needs_standby = True

    def rebuild_standby(self) -> None:
        """Make the old writer a standby of the new one, from a copy."""
        shutil.rmtree(self.standby.data)
        self.standby.run(
            "pg_basebackup",
            "-d",
            self.writer.url(),
            "-D",
            self.standby.data,
            "-R",
            "-c",
            "fast",
            "-X",
            "stream",
        )
        self.standby.start()
        self.needs_standby = False

    def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return self.writer.execute(sql, "boards")

    def texts_are_right(self) -> bool:
        """Tell whether what readers get is what the boards say, and print what differs."""
        command = [sys.executable, "manage.py", "refresh_boards", "--check"]
        env = deploy(self.writer.url("boards"))
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode == 0

    @property
    def parts(self) -> Sequence[Part]:
        return [self.redis, self.provider, self.pooler, *self.groups, *self.workers, self.front]


@contextmanager
def stage(boards: int, say: Callable[[str], None]) -> Iterator[Stage]:
    """Start everything, and end it afterwards."""
    with ExitStack() as stack:
        folder = stack.enter_context(new_folder())
        folder.chmod(0o755)
        # fsync is off: what is killed is a process, not the machine, and the disk is not part of the test.
        writer = stack.enter_context(primary())
        url = create_filled(writer, "boards")
        fill = [sys.executable, "-m", "bench.fill", str(boards)]
        subprocess.run(fill, env=deploy(url), check=True, stdout=subprocess.DEVNULL)
        standby = stack.enter_context(replica_of(writer))
        built = build(writer, standby, folder)
        stack.callback(end, built)
        for part in built.parts:
            say(f"starting {part.name}")
            part.start()
        rows = built.fetch("SELECT id FROM boards_board WHERE published_at IS NOT NULL ORDER BY id")
        built.boards = [str(pk) for (pk,) in rows]
        issuer = built.provider.openid.issuer
        for name in VOTERS:
            signed_in = sign_in(issuer, name, client="web-es256", resource=RESOURCE)
            built.tokens[name] = signed_in["access_token"]
        built.wait_for_standby()
        yield built


def build(writer: Server, standby: Server, folder: Path) -> Stage:
    """Return the parts, not started yet but for the servers and the links."""
    links = {server.port: Link(server.port) for server in (writer, standby)}
    pooler = Pooler(folder, links[writer.port].port)
    redis, redis_port = redis_server(folder)
    provider = Provider(folder)
    provider.start()  # its port is part of the settings
    issuer = provider.openid.issuer
    provider.openid.stop()
    group_links = [Link(pooler.port), Link(pooler.port)]
    replicas = ",".join(f"postgres://boards@127.0.0.1:{link.port}/boards" for link in links.values())
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
        "DATABASE_REPLICA_URLS": replicas,
        "TRUSTED_PROXIES": "127.0.0.1/32",
        "ALLOWED_HOSTS": "127.0.0.1",
        "WEB_CONCURRENCY": "2",
        "READ_RATE": "",
        "FORM_RATE_PER_CLIENT": "100000/m",
        "FORM_RATE_IN_TOTAL": "100000/m",
    }
    groups, ports = [], []
    for name, link in zip(("group one", "group two"), group_links, strict=True):
        group, port = app_group(name, {**env, "DATABASE_URL": pooler.url(link.port)}, folder)
        groups.append(group)
        ports.append(port)
    for_workers = {**env, "DATABASE_URL": pooler.url(pooler.port)}
    workers = [worker(f"worker {name}", for_workers, folder) for name in ("one", "two")]
    front, base = front_of(ports, folder)
    return Stage(writer, standby, links, pooler, groups, group_links, workers, redis, provider, front, base)


def front_of(ports: list[int], folder: Path) -> tuple[Part, str]:
    """Return nginx with the configuration of deploy/, and its address."""
    http, https = free_port(), free_port()
    conf = folder / "nginx.conf"
    conf.write_text(proxy.configuration(folder, ports, http, https, "off"))
    command = [proxy.NGINX or "nginx", "-c", conf, "-p", folder, "-g", "daemon off;"]
    return Part("nginx", command, folder / "nginx.log"), f"https://127.0.0.1:{https}"


def end(built: Stage) -> None:
    for part in reversed(built.parts):
        part.end()
    for link in (*built.links.values(), *built.group_links):
        link.close()
