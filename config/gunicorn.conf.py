"""How gunicorn serves config.wsgi. Each line stands here for a reason; all else is gunicorn's default."""

import gc
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.db import connections
from django.urls import get_resolver
from prometheus_client import multiprocess

# --- Where it listens ----------------------------------------------------------------------------------------

# Whoever reaches a service with development tokens can be anybody: it never leaves this machine.
address = "127.0.0.1" if settings.DEVELOPMENT_TOKENS else os.environ.get("BIND", "0.0.0.0")  # noqa: S104
bind = f"{address}:{os.environ.get('PORT', '8000')}"
# gunicorn would open a control socket in the home folder of whoever starts it.
control_socket_disable = True

# --- Who works -----------------------------------------------------------------------------------------------

# The requests wait for the database, mostly: threads share one copy of the application while they do.
worker_class = "gthread"
threads = 8
# Without CACHE_URL the form limits are counted inside the process, and so are exact in a single one only.
workers = int(os.environ.get("WEB_CONCURRENCY", "2")) if settings.CACHE_URL else 1
# The application is loaded before the fork: the workers share its memory, and a mistake in it ends the start at once.
preload_app = True
# The heartbeat is a file's timestamp: on a disk under load it can block, and a healthy worker is then killed.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# --- What it accepts -----------------------------------------------------------------------------------------

# The longest request line gunicorn allows; the application refuses over-long paths before, with its own 414.
limit_request_line = 8190
# gunicorn trusts X-Forwarded-Proto from loopback unless told otherwise: a stranger behind a local proxy could send it.
forwarded_allow_ips = ",".join(settings.TRUSTED_PROXIES)
# No proxy, trusted or not, renames a path behind the application's back.
forwarder_headers = ""

# --- How long ------------------------------------------------------------------------------------------------

# Longer than a proxy keeps an idle connection (60 s is usual): else it sends a request into one just closed, a 502.
keepalive = 75
# A request in flight is finished on SIGTERM; longer than the longest wait for a lock (LOCK_WAIT_SECONDS).
graceful_timeout = 30

# --- What is seen --------------------------------------------------------------------------------------------

# Named before prometheus_client is first used. The workers count in files here, so that one /metrics tells of all.
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="bridge-boards-metrics-")


def when_ready(server: Any) -> None:
    """Before the first fork: what is loaded now lives as long as the process, so the collector need not walk it."""
    _ = get_resolver().url_patterns  # the first request of every worker would import all views otherwise
    connections.close_all()  # a connection shared by two processes mixes up their answers
    gc.collect()
    gc.freeze()


def child_exit(server: Any, worker: Any) -> None:
    """Its gauges go with a worker; what it counted stays."""
    multiprocess.mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
