"""What stands in deploy/ fits the service and itself. What cannot be run here is read by the tool that it is for."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml

from tests.system import deployment
from tests.system.database_machines import KIT, Network, variables
from tests.system.deployment import ROOT, free_port, python

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
MADE_THERE = {"./pgbouncer/userlist.txt", "./nginx/tls", "./backups"}
"""The operator writes them, and Docker makes the last one."""


def read(path: str) -> str:
    """Return the text of a file of this repository."""
    return (ROOT / path).read_text(encoding="utf-8")


def run(*command: str | Path, **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed.")


# --- systemd -----------------------------------------------------------------------------------------------------


@needs("systemd-analyze")
def test_systemd_understands_each_unit_and_the_services_may_do_little_else_than_serve(tmp_path: Path) -> None:
    """2.0 of 10 is what systemd counts as well locked up. A service without any of it has 9.6."""
    for unit in UNITS:  # for a service that is installed where the tests run
        text = unit.read_text(encoding="utf-8")
        text = text.replace("/opt/bridge-boards/.venv/bin", str(Path(sys.executable).parent))
        (tmp_path / unit.name).write_text(text.replace("/opt/bridge-boards", str(ROOT)))
    assert run("systemd-analyze", "verify", "--man=no", *tmp_path.iterdir()) == ""
    for service in tmp_path.glob("*.service"):
        run("systemd-analyze", "security", "--offline=true", "--threshold=20", service)


def test_a_process_that_is_killed_for_its_memory_does_not_end_the_web_service() -> None:
    assert "\nOOMPolicy=continue\n" in read("deploy/systemd/bridge-boards.service")


# --- The images --------------------------------------------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments. Fail where a line is none."""
    text = re.sub(r"^\s*#.*\n", "", read("deploy/Dockerfile"), flags=re.MULTILINE)
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if line.strip()]
    found = [line.split(" ", 1) for line in lines]
    known = {"ARG", "FROM", "COPY", "RUN", "ENV", "WORKDIR", "USER", "CMD", "EXPOSE", "HEALTHCHECK"}
    assert {name for name, _ in found} <= known
    return [(name, rest.strip()) for name, rest in found]


def copies() -> list[tuple[list[str], str]]:
    """Return what the Dockerfile copies from this repository, and where to."""
    each = [rest.split() for name, rest in instructions() if name == "COPY"]
    return [(words[:-1], words[-1]) for words in each if not words[0].startswith("--from")]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the image of the web service has under /app."""
    app = tmp_path_factory.mktemp("image")
    for sources, target in copies():
        for source in sources if not target.startswith("/") else ():
            place = app / source if target == "./" else app / target
            place.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, place)
    return app


def test_the_image_has_all_that_the_service_reads_and_its_health_check_asks_the_port_for_monitors(image: Path) -> None:
    """A host name that ALLOWED_HOSTS lacks is a 400 elsewhere, and 127.0.0.1 is none of the world's names."""
    (bind,) = re.findall(r"^ENV METRICS_BIND=(\S+):\d+$", read("deploy/Dockerfile"), re.MULTILINE)
    monitors = f"{bind}:{free_port()}"
    more = {"PYTHONDONTWRITEBYTECODE": "1", "METRICS_BIND": monitors}
    environment = deployment.of(f"sqlite:///{image / 'db.sqlite3'}", "") | more
    for command in ("migrate", "load_reference_data"):
        python(environment, "manage.py", command, folder=image)
    with deployment.gunicorn(environment, folder=image) as port:
        for path in (
            *("/", "/boards", "/themes", "/forms", "/api/docs", "/api/docs/first-request", "/api/openapi.json"),
            *("/readyz", "/api/boards", "/api/themes", "/robots.txt", "/sitemap.xml", "/admin/login/"),
        ):
            assert requests.get(f"http://127.0.0.1:{port}{path}", timeout=60).status_code == 200, path
        (check,) = [rest for name, rest in instructions() if name == "HEALTHCHECK"]
        _, *arguments = json.loads(check.partition(" CMD ")[2])
        python(os.environ | {"METRICS_BIND": monitors}, *arguments)
        with pytest.raises(AssertionError, match="Traceback"):
            python(os.environ | {"METRICS_BIND": f"127.0.0.1:{free_port()}"}, *arguments)


def test_docker_is_sent_all_that_is_copied_and_no_secret() -> None:
    rules = read("deploy/Dockerfile.dockerignore").split("\n")
    allowed = {rule[1:] for rule in rules if rule.startswith("!")}
    assert "*" in rules
    copied = {source for sources, _ in copies() for source in sources}
    assert {source for source in copied if not any(Path(source).is_relative_to(each) for each in allowed)} == set()
    assert not {"var", ".git", ".venv", "tests", "."} & allowed


def test_images_install_hashed_requirements_and_run_as_nobody_and_the_web_image_has_no_solver() -> None:
    stages: dict[str, list[tuple[str, str]]] = defaultdict(list)
    stage = ""
    for name, rest in instructions():
        if name == "FROM":
            base, _, stage = rest.partition(" AS ")
            stages[stage] = list(stages[base])
        stages[stage].append((name, rest))
    names = {}
    for target, lock in (("web", "web"), ("worker", "run")):
        assert [rest for name, rest in stages[target] if name == "USER"] == ["10001:10001"], target
        packages = dict(stages[f"{target}-packages"])
        assert packages["COPY"].split()[0] == f"requirements/{lock}.txt"
        assert "--no-deps --require-hashes" in packages["RUN"]
        names[target] = set(re.findall(r"^([\w.-]+)==\S+", read(f"requirements/{lock}.txt"), re.MULTILINE))
    assert names["worker"] - names["web"] == {"endplay", "open-spiel"}
    assert names["web"] < names["worker"]


DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")


def test_each_image_from_elsewhere_is_named_by_its_digest(composed: dict[str, Any]) -> None:
    """A tag is what somebody else has put there today. What is built here has no digest before."""
    images = {service["image"] for service in composed["services"].values() if "image" in service}
    built = {service.get("image") for service in composed["services"].values() if "build" in service}
    for dockerfile in sorted(DEPLOY.rglob("Dockerfile")):
        text = dockerfile.read_text(encoding="utf-8")
        assert not re.search(r"(?m)^# *syntax *=", text), "BuildKit would fetch that from a registry too"
        for name, value in re.findall(r"(?m)^ARG (\w+)=(\S+)$", text):
            text = text.replace(f"${{{name}}}", value)
        images |= set(re.findall(r"(?m)^FROM (\S+)", text))
        built |= set(re.findall(r"(?m)^FROM \S+ AS (\S+)$", text))
    assert {image for image in images - built if not DIGEST.search(image)} == set()
    assert len(images - built) == 5


# --- compose -----------------------------------------------------------------------------------------------------


@pytest.fixture
def composed() -> dict[str, Any]:
    return yaml.safe_load(read("deploy/compose.yaml"))


def test_compose_names_files_and_stages_that_exist_and_opens_the_proxy_alone(composed: dict[str, Any]) -> None:
    services, stages = composed["services"], re.findall(r" AS (\S+)", read("deploy/Dockerfile"))
    for name, service in services.items():
        sources = {volume.split(":")[0] for volume in service.get("volumes", [])}
        unknown = sources - composed["volumes"].keys() - MADE_THERE
        assert all((DEPLOY / source).exists() for source in unknown), name
        build = service.get("build")
        assert build or "image" in service
        assert not isinstance(build, dict) or build["target"] in stages
        assert set(service.get("depends_on", {})) <= services.keys()
    assert [name for name, service in services.items() if "ports" in service] == ["nginx"]


@needs("docker-compose")
def test_compose_accepts_its_file(tmp_path: Path) -> None:
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    for name in (".env", ".env.owner"):
        secrets = re.sub(r"(?m)^(\w+_PASSWORD)=$", r"\1=secret", read(f"deploy/{name}.example"))
        (tmp_path / "deploy" / name).write_text(secrets)
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
def test_patroni_accepts_its_file_on_each_machine(network: Network, tmp_path: Path) -> None:
    file = tmp_path / "patroni.yml"
    for number in (1, 2, 3):
        file.write_text(network.of_machine("patroni.yml", number, tmp_path))
        assert run("patroni", "--validate-config", file) == ""


def test_a_primary_steps_down_before_another_machine_may_take_its_place() -> None:
    """Patroni's documentation has the rule. Its validator does not look."""
    settings = yaml.safe_load((KIT / "patroni.yml").read_text(encoding="utf-8"))["bootstrap"]["dcs"]
    assert settings["ttl"] >= settings["loop_wait"] + 2 * settings["retry_timeout"]


@needs("haproxy")
def test_haproxy_accepts_its_file(tmp_path: Path) -> None:
    file = tmp_path / "haproxy.cfg"
    file.write_text(Network().haproxy(5000))
    run("haproxy", "-c", "-f", file)


@needs("etcd")
def test_etcd_has_each_setting_of_its_file(tmp_path: Path) -> None:
    options = {name.upper().replace("-", "_") for name in re.findall(r"--([a-z0-9-]+)", run("etcd", "--help"))}
    names = variables(Network().of_machine("etcd.env", 1, tmp_path))
    assert {name.removeprefix("ETCD_") for name in names} <= options


# --- Memory --------------------------------------------------------------------------------------------------------


def test_each_unit_and_each_container_has_its_documented_limit_of_memory(composed: dict[str, Any]) -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([0-9]+) ([MG])iB \|", read("docs/operations.md"), re.MULTILINE)
    documented = {name.lower(): number + unit for names, number, unit in rows for name in names.split(", ")}
    units = {}
    for unit in UNITS:
        if unit.suffix == ".service":
            name = unit.stem.removeprefix("bridge-boards").removeprefix("-") or "web"
            (units[name],) = re.findall(r"^MemoryMax=(\S+)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    containers = {name: service["mem_limit"].upper() for name, service in composed["services"].items()}
    assert units | containers == documented == containers | units


# --- .env.example ------------------------------------------------------------------------------------------------


@pytest.fixture
def example() -> dict[str, str]:
    """Return all settings of the example, those too that are commented out."""
    return dict(re.findall(r"^#? ?([A-Z_]+)=(.*)$", read("deploy/.env.example"), re.MULTILINE))


def test_every_setting_of_the_example_is_described_and_fits_compose_and_the_pooler(
    example: dict[str, str], composed: dict[str, Any]
) -> None:
    described = read("docs/reference/settings.md")
    owner_s = re.findall(r"^([A-Z_]+)=", read("deploy/.env.owner.example"), re.MULTILINE)
    assert {name for name in example if not re.search(rf"\b{name}\b", described)} == set()
    assert {name for name in owner_s if f"| `{name}` | `.env.owner`" not in described} == set()
    assert "@pgbouncer:6432/boards" in example["DATABASE_URL"] and example["DATABASE_POOLED"] == "true"
    assert example["TRUSTED_PROXIES"] == composed["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert {"pgbouncer", "postgresql", "redis", "web"} <= composed["services"].keys()


def test_the_example_with_secrets_passes_the_checks_of_a_deployment(example: dict[str, str]) -> None:
    secrets = {name: f"{name}-0123456789abcdefghij" * 4 for name in ("SECRET_KEY", "API_KEY", "METRICS_TOKEN")}
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR", "LANG")}
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "ENV_FILE": os.devnull}
    environment = clean | example | secrets | settings
    python(environment, "manage.py", "check", "--deploy", "--fail-level", "WARNING")


# --- Watching ----------------------------------------------------------------------------------------------------


@pytest.fixture
def expressions() -> list[str]:
    """Return the expressions of the dashboard and the alerts."""
    panels = json.loads(read("deploy/grafana/dashboard.json"))["panels"]
    shown = [target["expr"].replace("$__rate_interval", "5m") for panel in panels for target in panel["targets"]]
    groups = yaml.safe_load(read("deploy/prometheus/alerts.yml"))["groups"]
    return shown + [rule["expr"] for group in groups for rule in group["rules"]]


def test_the_dashboard_and_the_alerts_ask_for_metrics_that_the_service_has(expressions: list[str]) -> None:
    asked = {name for each in expressions for name in re.findall(r"bridge_boards_\w+", each)}
    files = [path for app in ("config", "deals") for path in (ROOT / app).rglob("*.py")]
    made = {name for path in files for name in re.findall(r'"(bridge_boards_\w+)"', path.read_text())}
    assert asked <= made | {f"{name}_{end}" for name in made for end in ("total", "bucket", "sum", "count")}


@needs("promtool")
def test_prometheus_understands_the_alerts_and_each_panel_and_the_alerts_ring_when_they_should_and_not_before(
    expressions: list[str], tmp_path: Path
) -> None:
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions)]
    (tmp_path / "panels.yml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    prometheus = DEPLOY / "prometheus"
    run("promtool", "check", "rules", prometheus / "alerts.yml", tmp_path / "panels.yml")
    run("promtool", "check", "config", "--syntax-only", prometheus / "prometheus.yml")
    run("promtool", "test", "rules", Path(__file__).with_name("alerts_test.yml"))
