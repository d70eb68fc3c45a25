"""gunicorn's settings for config.wsgi. Each has its reason beside it; all others keep gunicorn's defaults.

gunicorn -c config/gunicorn.conf.py config.wsgi
"""

import gc
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# --- Where it listens ----------------------------------------------------------------------------------------

# Whoever reaches a service with development tokens can sign in as anybody: it listens to this machine alone.
address = "127.0.0.1" if settings.DEVELOPMENT_TOKENS else os.environ.get("BIND", "0.0.0.0")  # noqa: S104
bind = f"{address}:{os.environ.get('PORT', '8000')}"
# gunicorn would open a control socket in the home folder of the user who starts it.
control_socket_disable = True

# --- Who works -----------------------------------------------------------------------------------------------

# Requests wait for the database, mostly: threads share one copy of the application meanwhile.
worker_class = "gthread"
threads = 8
# Without CACHE_URL the form limits are counted inside the process, so they are exact in a single one only.
workers = int(os.environ.get("WEB_CONCURRENCY", "2")) if settings.CACHE_URL else 1
# Load the application before the fork: the workers share its memory, and a mistake in it ends the start at once.
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

# --- What is measured ----------------------------------------------------------------------------------------

# The workers count in files in this folder, so that /metrics has the sum of all of them. prometheus_client looks for
# the name once, when it is imported: so it is set here, before the application is loaded.
metrics_folder = os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="bridge-boards-metrics-")


def when_ready(server: Any) -> None:
    """Prepare the parent process before the first fork."""
    # Only now: the application, which has set up Django's apps, is loaded after this file.
    from config.api.openapi import openapi_document

    _ = get_resolver().url_patterns  # otherwise the first request of every worker imports all the views
    openapi_document()  # otherwise the first reader of /api/openapi.json or /api/forms waits in every worker
    connections.close_all()  # two processes on one connection would read each other's answers
    gc.collect()
    gc.freeze()  # what is loaded by now is never garbage: the collector need not walk it again


def post_worker_init(worker: Any) -> None:
    """Watch the waits for the database, and fetch the provider's keys before the first request.

    A worker starts even when the provider or the database is down.
    """
    # Only now, for the same reason as above.
    from accounts.tokens.verifier import warm_keys
    from config.database import start_watch

    start_watch(threads=threads)
    warm_keys()


def child_exit(server: Any, worker: Any) -> None:
    """Remove a dead worker's gauges. What it counted stays."""
    # Only now: the package must not be imported before PROMETHEUS_MULTIPROC_DIR is set.
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    shutil.rmtree(metrics_folder, ignore_errors=True)
