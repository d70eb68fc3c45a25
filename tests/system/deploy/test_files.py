"""What stands in deploy/ fits the service and itself. What cannot be run here is read by the tool that it is for."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml

from tests.system import deployment
from tests.system.database_machines import KIT, Network, variables
from tests.system.deployment import ROOT, free_port

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
(METRICS_BIND,) = re.findall(r"^ENV METRICS_BIND=(\S+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
SECRET_FILES = {"./pgbouncer/userlist.txt", "./nginx/tls"}
"""The operator writes them."""


def run(*command: str | Path, **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed.")


# --- systemd -----------------------------------------------------------------------------------------------------


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """Return the units for a service that is installed where the tests run."""
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8")
        text = text.replace("/opt/bridge-boards/.venv/bin", str(Path(sys.executable).parent))
        (tmp_path / unit.name).write_text(text.replace("/opt/bridge-boards", str(ROOT)))
    return sorted(tmp_path.iterdir())


@needs("systemd-analyze")
def test_systemd_understands_each_unit(units: list[Path]) -> None:
    assert run("systemd-analyze", "verify", "--man=no", *units) == ""


@needs("systemd-analyze")
def test_the_services_may_do_little_else_than_serve(units: list[Path]) -> None:
    """2.0 of 10 is what systemd counts as well locked up. A service without any of it has 9.6."""
    for unit in units:
        if unit.suffix == ".service":
            run("systemd-analyze", "security", "--offline=true", "--threshold=20", unit)


# --- The images --------------------------------------------------------------------------------------------------


def instructions(path: Path) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with their arguments. Fail where a line is none."""
    text = re.sub(r"^\s*#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if line.strip()]
    found = [line.split(" ", 1) for line in lines]
    known = {"ARG", "FROM", "COPY", "RUN", "ENV", "WORKDIR", "USER", "CMD", "EXPOSE", "HEALTHCHECK"}
    assert {name for name, _ in found} <= known
    return [(name, rest.strip()) for name, rest in found]


def copies() -> list[tuple[list[str], str]]:
    """Return what the Dockerfile copies from this repository, and where to."""
    each = [rest.split() for name, rest in instructions(DEPLOY / "Dockerfile") if name == "COPY"]
    return [(words[:-1], words[-1]) for words in each if not words[0].startswith("--from")]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the image of the web service has under /app."""
    app = tmp_path_factory.mktemp("image")
    for sources, target in copies():
        for source in sources:
            if target.startswith("/"):
                continue
            place = app / source if target == "./" else app / target
            place.parent.mkdir(parents=True, exist_ok=True)
            ignored = shutil.ignore_patterns("__pycache__")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=ignored)
            else:
                shutil.copy(ROOT / source, place)
    return app


@pytest.fixture(scope="module")
def monitors() -> str:
    """Return the address for monitors, with a port that is free here."""
    host, _, _ = METRICS_BIND.rpartition(":")
    return f"{host}:{free_port()}"


@pytest.fixture(scope="module")
def service_of_image(image: Path, monitors: str) -> Iterator[str]:
    """Run the image's command in its folder, with an empty database."""
    more = {"PYTHONDONTWRITEBYTECODE": "1", "METRICS_BIND": monitors}
    environment = deployment.of(f"sqlite:///{image / 'db.sqlite3'}", "") | more
    run(sys.executable, "manage.py", "migrate", "-v0", cwd=image, env=environment)
    run(sys.executable, "manage.py", "load_reference_data", cwd=image, env=environment)
    with deployment.gunicorn(environment, folder=image) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/boards", "/themes", "/forms", "/api/docs", "/api/docs/first-request", "/api/openapi.json"),
        *("/readyz", "/api/boards", "/api/themes", "/robots.txt", "/sitemap.xml", "/admin/login/"),
    ],
)
def test_the_image_has_all_that_the_service_reads(service_of_image: str, path: str) -> None:
    assert requests.get(service_of_image + path, timeout=60).status_code == 200


def test_the_image_s_health_check_asks_the_port_for_monitors(service_of_image: str, monitors: str) -> None:
    """A host name that ALLOWED_HOSTS lacks is a 400 elsewhere, and 127.0.0.1 is none of the world's names."""
    (check,) = [rest for name, rest in instructions(DEPLOY / "Dockerfile") if name == "HEALTHCHECK"]
    _, *arguments = json.loads(check.partition(" CMD ")[2])
    run(sys.executable, *arguments, env=os.environ | {"METRICS_BIND": monitors})
    gone = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"METRICS_BIND": f"127.0.0.1:{free_port()}"},
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert gone.returncode


def test_docker_is_sent_all_that_is_copied_and_no_secret() -> None:
    rules = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split("\n")
    allowed = {rule[1:] for rule in rules if rule.startswith("!")}
    assert "*" in rules
    copied = {source for sources, _ in copies() for source in sources}
    assert {source for source in copied if not any(Path(source).is_relative_to(each) for each in allowed)} == set()
    assert not {"var", ".git", ".venv", "tests", "."} & allowed


def test_images_install_hashed_requirements_and_run_as_nobody() -> None:
    stages: dict[str, list[tuple[str, str]]] = {}
    for name, rest in instructions(DEPLOY / "Dockerfile"):
        if name == "FROM":
            base, _, stage = rest.partition(" AS ")
            stages[stage] = list(stages.get(base, []))
        elif stages:
            stages[stage].append((name, rest))
    for target, lock in (("web", "requirements/web.txt"), ("worker", "requirements/run.txt")):
        users = [rest for name, rest in stages[target] if name == "USER"]
        assert users == ["10001:10001"], target
        packages = dict(stages[f"{target}-packages"])
        assert packages["COPY"].split()[0] == lock
        assert "--no-deps --require-hashes" in packages["RUN"]


def test_the_web_image_has_what_the_worker_has_but_the_solver() -> None:
    names = {
        lock: set(re.findall(r"^([\w.-]+)==\S+", (ROOT / f"requirements/{lock}.txt").read_text(), re.MULTILINE))
        for lock in ("run", "web")
    }
    assert names["run"] - names["web"] == {"endplay", "open-spiel"}
    assert names["web"] < names["run"]


# --- compose -----------------------------------------------------------------------------------------------------


@pytest.fixture
def composed() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_compose_names_files_and_stages_that_exist(composed: dict[str, Any]) -> None:
    stages = dict.fromkeys(re.findall(r" AS (\S+)", (DEPLOY / "Dockerfile").read_text(encoding="utf-8")))
    for name, service in composed["services"].items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in composed["volumes"] or source in SECRET_FILES or (DEPLOY / source).exists(), name
        build = service.get("build")
        if isinstance(build, dict):
            assert build["target"] in stages
        assert build or "image" in service
        assert set(service.get("depends_on", {})) <= set(composed["services"])


def test_only_the_proxy_is_open_to_the_world(composed: dict[str, Any]) -> None:
    assert [name for name, service in composed["services"].items() if "ports" in service] == ["nginx"]


@needs("docker-compose")
def test_compose_accepts_its_file(tmp_path: Path) -> None:
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    text = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    (tmp_path / "deploy" / ".env").write_text(re.sub(r"(?m)^(\w+_PASSWORD)=$", r"\1=secret", text))
    run("docker-compose", "-f", "compose.yaml", "config", "-q", cwd=tmp_path / "deploy")


# --- Fail-over ------------------------------------------------------------------------------------------------------


@pytest.fixture
def network() -> Iterator[Network]:
    """Yield a network in which something listens in etcd's place on each machine: Patroni's validator asks there."""
    network = Network()
    with ExitStack() as stack:
        for number in (1, 2, 3):
            stack.enter_context(socket.create_server((network.machine(number), 2379)))
        yield network


@needs("patroni")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_patroni_accepts_its_file_on_each_machine(network: Network, number: int, tmp_path: Path) -> None:
    file = tmp_path / "patroni.yml"
    file.write_text(network.of_machine("patroni.yml", number, tmp_path))
    assert run("patroni", "--validate-config", file) == ""


def test_a_primary_steps_down_before_another_machine_may_take_its_place() -> None:
    """Patroni's documentation has the rule. Its validator does not look."""
    settings = yaml.safe_load((KIT / "patroni.yml").read_text(encoding="utf-8"))["bootstrap"]["dcs"]
    assert settings["ttl"] >= settings["loop_wait"] + 2 * settings["retry_timeout"]


@needs("haproxy")
def test_haproxy_accepts_its_file(network: Network, tmp_path: Path) -> None:
    file = tmp_path / "haproxy.cfg"
    file.write_text(network.haproxy(5000))
    run("haproxy", "-c", "-f", file)


@needs("etcd")
def test_etcd_has_each_setting_of_its_file(network: Network, tmp_path: Path) -> None:
    names = variables(network.of_machine("etcd.env", 1, tmp_path))
    options = {
        f"ETCD_{name.upper().replace('-', '_')}" for name in re.findall(r"--([a-z0-9-]+)", run("etcd", "--help"))
    }
    assert names.keys() <= options


# --- Memory --------------------------------------------------------------------------------------------------------


def documented_limits() -> dict[str, int]:
    """Return the limits of docs/operations.md in MiB, by the names of the services in lower case."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([0-9]+) ([MG])iB \|", text, re.MULTILINE)
    return {
        name.lower(): int(number) * (1024 if unit == "G" else 1)
        for names, number, unit in rows
        for name in names.split(", ")
    }


def mebibytes(limit: str) -> int:
    return int(limit[:-1]) * (1024 if limit[-1].upper() == "G" else 1)


def limit_of_unit(unit: Path) -> int:
    (limit,) = re.findall(r"^MemoryMax=(\S+)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    return mebibytes(limit)


def test_each_unit_and_each_container_has_its_documented_limit_of_memory(composed: dict[str, Any]) -> None:
    services = [unit for unit in UNITS if unit.suffix == ".service"]
    names = [unit.stem.removeprefix("bridge-boards").removeprefix("-") or "web" for unit in services]
    units = dict(zip(names, map(limit_of_unit, services), strict=True))
    containers = {name: mebibytes(service["mem_limit"]) for name, service in composed["services"].items()}
    assert units | containers == documented_limits() == containers | units


def test_a_process_that_is_killed_for_its_memory_does_not_end_the_web_service() -> None:
    assert "\nOOMPolicy=continue\n" in (DEPLOY / "systemd" / "bridge-boards.service").read_text(encoding="utf-8")


# --- .env.example ------------------------------------------------------------------------------------------------


def example() -> dict[str, str]:
    """Return all settings of the example, those too that are commented out."""
    lines = (DEPLOY / ".env.example").read_text(encoding="utf-8").splitlines()
    return dict(re.findall(r"^#? ?([A-Z_]+)=(.*)$", "\n".join(lines), re.MULTILINE))


def test_every_setting_of_the_example_is_described() -> None:
    described = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    compose_s_own = {"POSTGRES_PASSWORD", "SERVICE_PASSWORD", "MIGRATION_DATABASE_URL", "COMPOSE_PROJECT_NAME"}
    assert {name for name in example() if not re.search(rf"\b{name}\b", described)} == compose_s_own


def test_the_example_with_secrets_passes_the_checks_of_a_deployment() -> None:
    secrets = {name: f"{name}-0123456789abcdefghij" * 4 for name in ("SECRET_KEY", "API_KEY", "METRICS_TOKEN")}
    environment = example() | secrets
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR", "LANG")}
    command = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "ENV_FILE": os.devnull}
    run(sys.executable, *command, cwd=ROOT, env=clean | environment | settings)


def test_the_example_fits_compose_and_the_pooler(composed: dict[str, Any]) -> None:
    settings = example()
    assert "@pgbouncer:6432/boards" in settings["DATABASE_URL"]
    assert settings["DATABASE_POOLED"] == "true"
    assert "@postgresql:5432/boards" in settings["MIGRATION_DATABASE_URL"]
    assert settings["TRUSTED_PROXIES"] == composed["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert {"pgbouncer", "postgresql", "redis", "web"} <= set(composed["services"])


# --- Watching ----------------------------------------------------------------------------------------------------


def expressions() -> list[str]:
    """Return the expressions of the dashboard and the alerts."""
    dashboard = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text(encoding="utf-8"))
    alerts = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return [
        *(expression.replace("$__rate_interval", "5m") for expression in shown),
        *(rule["expr"] for group in alerts["groups"] for rule in group["rules"]),
    ]


def test_the_dashboard_and_the_alerts_ask_for_metrics_that_the_service_has() -> None:
    asked = {name for each in expressions() for name in re.findall(r"bridge_boards_\w+", each)}
    files = [path for app in ("config", "deals") for path in (ROOT / app).rglob("*.py")]
    made = {name for path in files for name in re.findall(r'"(bridge_boards_\w+)"', path.read_text())}
    series = made | {f"{name}_{end}" for name in made for end in ("total", "bucket", "sum", "count")}
    assert asked <= series


@needs("promtool")
def test_prometheus_understands_the_alerts_and_each_panel(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions())]
    (tmp_path / "panels.yml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    prometheus = DEPLOY / "prometheus"
    run("promtool", "check", "rules", prometheus / "alerts.yml", tmp_path / "panels.yml")
    run("promtool", "check", "config", "--syntax-only", prometheus / "prometheus.yml")


@needs("promtool")
def test_the_alerts_ring_when_they_should_and_not_before() -> None:
    run("promtool", "test", "rules", ROOT / "tests" / "system" / "deploy" / "alerts_test.yml")
