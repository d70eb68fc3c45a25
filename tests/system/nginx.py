"""The real nginx with deploy/nginx/nginx.conf. Only addresses, folders and the certificate differ."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.config.test_http_client import certificate
from tests.system.deployment import ROOT, free_port
from tests.system.postgresql_servers import wait_until_open

CONF = ROOT / "deploy" / "nginx" / "nginx.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
needs_nginx = pytest.mark.skipif(not NGINX, reason="nginx is not installed.")
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass
class Proxy:
    http: int
    https: int
    folder: Path

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.https}"


def configuration(folder: Path, apps: list[int], http: int, https: int, cache: str) -> str:
    """Return the configuration of deploy/ with what this machine has. Fail where a line to replace is not there.

    Answers say in X-Cache what the cache did: HIT, MISS and so on. Where it was not asked there is none.
    """
    pem = certificate(folder / "nginx.pem")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    servers = "".join(f"server 127.0.0.1:{port} max_fails=3 fail_timeout=5s;" for port in apps)
    text = CONF.read_text(encoding="utf-8")
    for pattern, replacement in {
        r"error_log /dev/stderr": f"error_log {folder}/error.log",
        r"pid \S+": f"pid {folder}/nginx.pid;",
        r"access_log \S+": f"access_log {folder}/access.log",
        r"http \{": f"http {{ {temporary}",
        r"listen \[::\].*": "",
        r"listen 80;": f"listen 127.0.0.1:{http};",
        r"listen 443": f"listen 127.0.0.1:{https}",
        r"/etc/nginx/tls/\w+\.pem": str(pem),
        r"/var/cache/nginx/boards": f"{folder}/cache",
        r"server web:8000 .*;": servers,
        r'"" off;': f'"" {cache};',
        r"proxy_cache \$public_cache;": "proxy_cache $public_cache; add_header X-Cache $upstream_cache_status always;",
    }.items():
        text, count = re.subn(pattern, replacement, text)
        assert count, pattern
    return text


@contextmanager
def nginx(*apps: int, cache: str = "off") -> Iterator[Proxy]:
    """Run nginx in front of the apps that listen on these ports. The cache "boards" keeps public answers."""
    # Not in a folder of pytest's: nginx's workers are other users, whom those do not let in.
    with tempfile.TemporaryDirectory(prefix="bridge-boards-nginx-", dir="/tmp") as name:
        folder, http, https = Path(name), free_port(), free_port()
        folder.chmod(0o755)
        conf = folder / "nginx.conf"
        conf.write_text(configuration(folder, list(apps), http, https, cache))
        assert NGINX
        command = [NGINX, "-c", conf, "-p", folder, "-g", "daemon off;"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            wait_until_open(https, process, folder / "error.log")
            try:
                yield Proxy(http, https, folder)
            finally:
                process.terminate()
