"""gunicorn's settings for config.wsgi. Each has its reason beside it; all others keep gunicorn's defaults.

gunicorn -c config/gunicorn.conf.py config.wsgi
"""

import gc
import os
import signal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections
from django.urls import get_resolver
from gunicorn.workers.gthread import ThreadWorker

from config.edge.observability.metrics_files import (
    mark_worker_dead,
    metrics_folder,
    remove_folder,
    remove_folder_as_the_last,
    share_folder,
)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# --- Where it listens ----------------------------------------------------------------------------------------

# Only this machine, unless BIND says otherwise: the world comes through a proxy, which waits for slow clients, holds
# the certificate, and says in a header that is believed who they are. And anyone who can reach a service with
# development tokens can sign in as anybody.
address = "127.0.0.1" if settings.DEVELOPMENT_TOKENS else os.environ.get("BIND") or "127.0.0.1"
bind = [f"{address}:{os.environ.get('PORT', '8000')}"]
# gunicorn would open a control socket in the home folder of the user who starts it.
control_socket_disable = True

# --- Who works -----------------------------------------------------------------------------------------------


class Worker(ThreadWorker):
    """gunicorn's gthread, which leaves the port at once when its master was killed: nobody else would close it."""

    def is_parent_alive(self) -> bool:
        """Tell whether the master lives. Without it, close the port for the next one, and end as at SIGTERM.

        gthread alone ends as a worker that lives on: it keeps connections that clients keep, and the port until then.
        """
        if super().is_parent_alive():
            return True
        self.set_accept_enabled(False)
        for listener in self.sockets:
            listener.close()
        signal.raise_signal(signal.SIGTERM)
        return False


# Requests wait for the database, mostly: threads share one copy of the application meanwhile. A thread reads the
# request that it answers, so a client that sends half of one holds it: the proxy waits for such clients instead.
worker_class = Worker
threads = 8
# Fewer than the 1,024 files that most systems let a process open: without a file left it could accept nothing.
worker_connections = 800
# Without CACHE_URL the form limits are counted inside the process, so they are exact in a single one only.
workers = int(os.environ.get("WEB_CONCURRENCY", "2")) if settings.CACHE_URL else 1
# Load the application before the fork: the workers share its memory, and a mistake in it ends the start at once. So a
# new version needs a new master: HUP starts new workers of the old code (docs/reliability/deployments.md).
preload_app = True
# The heartbeat is a file's timestamp: on a busy disk it can block, and a healthy worker is killed for it.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# --- What it accepts -----------------------------------------------------------------------------------------

# As long as gunicorn allows: the application refuses shorter paths already, with its own 414.
limit_request_line = 8190
# By default gunicorn trusts X-Forwarded-Proto from loopback.
forwarded_allow_ips = ",".join(settings.TRUSTED_PROXIES)
# No proxy, trusted or not, renames a path behind the application's back.
forwarder_headers = ""

# --- How long ------------------------------------------------------------------------------------------------

# Longer than proxies keep an idle connection (60 s is usual), or they send a request into one just closed: 502.
keepalive = 75
# On SIGTERM requests in flight are finished: longer than the longest wait for a lock.
graceful_timeout = settings.LOCK_WAIT_SECONDS + 10

# --- What it logs --------------------------------------------------------------------------------------------

# Its own lines in the form of all others, and without what they would quote of requests.
logconfig_dict = {
    **settings.LOGGING,
    "filters": {"hide_request": {"()": "config.edge.observability.logs.HideRequest"}},
    "loggers": {
        **settings.LOGGING["loggers"],
        "gunicorn.error": {"level": "INFO", "filters": ["hide_request"], "propagate": True},
    },
}

# --- What is measured ----------------------------------------------------------------------------------------

# The workers count in files, so that /metrics has the sum of all of them: config/edge/observability/metrics_files.py.
metrics_folder()


def when_ready(server: Any) -> None:
    """Say where the service is reached, and prepare the parent process before the first fork."""
    if address == "127.0.0.1" and not settings.DEVELOPMENT_TOKENS:
        server.log.info("Only this machine can reach the service. Set BIND to listen on another address.")
    # Only now: the application, which has set up Django's apps, is loaded after this file.
    from config.api.openapi import openapi_document
    from config.edge.observability.metrics import metrics_server

    _ = get_resolver().url_patterns  # otherwise the first request of every worker imports all the views
    openapi_document()  # otherwise the first reader of /api/openapi.json or /api/forms waits in every worker
    metrics_server()  # a thread of each worker answers there: one that was started here would not survive the fork
    connections.close_all()  # two processes on one connection would read each other's answers
    gc.collect()
    gc.freeze()  # what is loaded by now is never garbage: the collector need not walk it again


def post_worker_init(worker: Any) -> None:
    """Bound the waits for the database, answer monitors, and fetch the provider's keys before the first request.

    A worker starts even when the provider or the database is down, two seconds later where the provider hangs.
    """
    # Only now, for the same reason as above.
    from accounts.tokens.verifier import warm_keys
    from config.database import bound_waits
    from config.edge.observability.metrics import serve_metrics_port

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        end_waiting_requests_at(number)
    signal.siginterrupt(signal.SIGTERM, False)  # as gunicorn has it: requests in hand are not disturbed
    share_folder()
    bound_waits(threads=threads)
    serve_metrics_port()
    warm_keys()


def end_waiting_requests_at(number: int) -> None:
    """End the feed's waiting requests when this signal comes, before gunicorn stops. It has no hook for SIGTERM."""
    from deals.events.feed import shutdown

    stop: Any = signal.getsignal(number)

    def handle(*signal_and_frame: Any) -> None:
        shutdown.request()
        stop(*signal_and_frame)

    signal.signal(number, handle)


def child_exit(server: Any, worker: Any) -> None:
    mark_worker_dead(worker.pid)


def worker_exit(server: Any, worker: Any) -> None:
    """Remove the files of /metrics when the master was killed, and end: nobody else would do either.

    Python would wait for a thread that a client holds with half of a request. The time of `graceful_timeout` is over.
    """
    if server.pid not in (os.getppid(), os.getpid()):
        remove_folder_as_the_last()
        os._exit(0)


def on_exit(server: Any) -> None:
    remove_folder()
