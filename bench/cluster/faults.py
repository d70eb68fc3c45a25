"""The faults, each a function that hurts one part for some seconds and leaves the cluster whole again."""

import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

from bench.cluster.parts import Part, tree_of
from bench.cluster.stage import Stage
from tests.system.postgresql_servers import Server, send

Fault = Callable[[float], None]
FAIL_TIMEOUT_SECONDS = 5
"""For so long nginx leaves out a group that has refused connections: fail_timeout of deploy/nginx/nginx.conf."""


def hold(held: Callable[[], AbstractContextManager[None]]) -> Fault:
    def hurt(seconds: float) -> None:
        with held():
            time.sleep(seconds)

    return hurt


def killed(part: Part) -> Fault:
    def hurt(seconds: float) -> None:
        part.kill()
        time.sleep(seconds)
        part.start()

    return hurt


def restart_in_turn(stage: Stage, seconds: float) -> None:
    """Restart one group after the other, as docs/reliability/deployments.md says."""
    for group in stage.groups:
        group.restart()
        time.sleep(FAIL_TIMEOUT_SECONDS + 1)


def lose_standby(stage: Stage, seconds: float) -> None:
    """Kill the standby. The supervisor lets commits go on without it at once."""
    send(list(tree_of(stage.standby.pids[0])), signal.SIGKILL)
    stage.require_standby(stage.writer, False)
    time.sleep(seconds)
    start_again(stage.standby)
    stage.wait_for_standby()


def freeze_standby(stage: Stage, seconds: float) -> None:
    """Freeze the standby. Commits wait for it for a second, until the supervisor lets them go on."""
    with stage.standby.frozen():
        time.sleep(1)
        stage.require_standby(stage.writer, False)
        time.sleep(seconds)
    stage.wait_for_standby()


def restart_writer(stage: Stage, seconds: float) -> None:
    send(list(tree_of(stage.writer.pids[0])), signal.SIGKILL)
    time.sleep(seconds)
    start_again(stage.writer)
    stage.wait_for_standby()


def cut_off_writer(stage: Stage, seconds: float) -> None:
    with stage.links[stage.writer.port].cut():
        time.sleep(seconds)


def freeze_writer(stage: Stage, seconds: float) -> None:
    with stage.writer.frozen():
        time.sleep(seconds)


def fail_over(stage: Stage, seconds: float) -> None:
    stage.fail_over()


def freeze_and_fail_over(stage: Stage, seconds: float) -> None:
    with stage.writer.frozen():
        time.sleep(1)
        stage.fail_over()


def hold_both(parts: list[Part]) -> Fault:
    def hurt(seconds: float) -> None:
        with parts[0].frozen(), parts[1].frozen():
            time.sleep(seconds)

    return hurt


def start_again(server: Server) -> None:
    """Start a server of which every process was killed, and which has left its file behind."""
    (server.data / "postmaster.pid").unlink(missing_ok=True)
    server.start()


def faults(stage: Stage) -> dict[str, Fault]:
    """Return the faults by their names. Each leaves the cluster as it was, but for which server is the writer."""
    one = stage.groups[0]
    return {
        "nothing": time.sleep,
        "group one killed": killed(one),
        "group one frozen": hold(one.frozen),
        "a process of group one killed": lambda seconds: one.kill_child(),
        "both groups restarted in turn": partial(restart_in_turn, stage),
        "group one cut off from PgBouncer": hold(stage.group_links[0].cut),
        "a worker killed": killed(stage.workers[0]),
        "both workers frozen": hold_both(stage.workers),
        "Redis killed": killed(stage.redis),
        "Redis frozen": hold(stage.redis.frozen),
        "nginx killed": killed(stage.front),
        "PgBouncer killed": killed(stage.pooler),
        "PgBouncer frozen": hold(stage.pooler.frozen),
        "PgBouncer cut off from the writer": partial(cut_off_writer, stage),
        "the standby killed": partial(lose_standby, stage),
        "the standby frozen": partial(freeze_standby, stage),
        "the writer killed, started again": partial(restart_writer, stage),
        "the writer frozen": partial(freeze_writer, stage),
        "the writer killed, the standby promoted": partial(fail_over, stage),
        "the writer frozen, the standby promoted": partial(freeze_and_fail_over, stage),
        "the provider killed": killed(stage.provider),
        "the provider frozen": hold(stage.provider.frozen),
    }
