"""What the settings make of the URLs of databases."""

import json
import os
import subprocess
import sys
from typing import Any

import environ
import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.database.configuring import configure

URL = "postgres://user@database.example/name?tcp_user_timeout=5000&sslmode=require"
REPLICAS = "postgres://reader@one.example:5433/name?sslmode=verify-full,postgres://two.example/name"


def configured(url: str = URL, replicas: tuple[str, ...] = (), *, prepare: bool = True, pooled: bool = False) -> Any:
    parse = environ.Env.db_url_config
    return configure(parse(url), [parse(each) for each in replicas], lock_seconds=20, prepare=prepare, pooled=pooled)


def of_environment(**environment: str) -> Any:
    """Return DATABASES as the settings make it of this environment."""
    program = "import json; from config.settings import DATABASES; print(json.dumps(DATABASES))"
    env = {**os.environ, "DATABASE_URL": URL, **environment}
    command = [sys.executable, "-c", program]
    return json.loads(subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, check=True).stdout)


def test_a_deployment_behind_a_pooling_proxy_prepares_no_statements() -> None:
    for made, threshold, is_pooled in (
        (configured(), 0, False),
        (of_environment(PREPARED_STATEMENTS="false"), None, False),
        (configured(pooled=True), None, True),
    ):
        options = made["default"]["OPTIONS"]
        assert options["prepare_threshold"] == threshold
        assert (options["tcp_user_timeout"], options["sslmode"]) == (5000, "require")
        assert ("options" in options) is not is_pooled


def test_a_replica_is_like_the_primary_but_for_what_its_url_says_and_is_not_pooled() -> None:
    made = of_environment(DATABASE_REPLICA_URLS=REPLICAS, DATABASE_POOLED="true")
    assert list(made) == ["default", "replica1", "replica2"]
    assert "options" not in made["default"]["OPTIONS"], "the primary is pooled"
    one, two = made["replica1"], made["replica2"]
    assert (one["HOST"], one["PORT"], one["USER"], two["HOST"]) == ("one.example", 5433, "reader", "two.example")
    assert (one["OPTIONS"]["sslmode"], two["OPTIONS"]["sslmode"]) == ("verify-full", "require")
    assert all("lock_timeout" in each["OPTIONS"]["options"] and "POOLED" not in each for each in (one, two))


def test_sqlite_has_neither_a_pooler_nor_replicas() -> None:
    for wrong in ({"pooled": True}, {"replicas": (URL,)}):
        with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must lead to one"):
            configured("sqlite:///x.sqlite3", **wrong)
