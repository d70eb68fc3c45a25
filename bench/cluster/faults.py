"""The faults, each a function that hurts one part for some seconds and leaves the cluster whole again."""

import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

from bench.cluster.machines import Machine, Machines
from bench.cluster.parts import wait_for
from bench.cluster.stage import Stage
from tests.system.postgresql_servers import send

Fault = Callable[[float], None]
Find = Callable[[], Machine | None]
Hurt = Callable[[Machine], AbstractContextManager[None]]
FAIL_TIMEOUT_SECONDS = 5
"""For so long nginx leaves out a group that has refused connections: fail_timeout of deploy/nginx/nginx.conf."""


def hold(*held: Callable[[], AbstractContextManager[None]]) -> Fault:
    """Hurt some parts together for some seconds."""

    def fault(seconds: float) -> None:
        with ExitStack() as stack:
            for each in held:
                stack.enter_context(each())
            time.sleep(seconds)

    return fault


def hurt_current(find: Find, hurt: Hurt) -> Callable[[], AbstractContextManager[None]]:
    """Hurt the machine that is found when it comes to that."""
    return lambda: hurt(wait_for(find, "the machine"))


def hurt_until_replaced(find: Find, hurt: Hurt) -> Fault:
    """Hurt the machine that is found, until Patroni has put another one in its place, and some seconds more."""

    def fault(seconds: float) -> None:
        old = wait_for(find, "the machine")
        with hurt(old):
            wait_for(lambda: find() not in (old, None), "another machine")
            time.sleep(seconds)

    return fault


def restart_in_turn(stage: Stage) -> None:
    """Restart one group after the other, as docs/reliability/deployments.md says."""
    for group in stage.groups:
        group.restart()
        time.sleep(FAIL_TIMEOUT_SECONDS + 1)


def kill_postgresql(machines: Machines, seconds: float) -> None:
    """Kill PostgreSQL and leave Patroni, which starts it again."""
    send(wait_for(machines.find_primary, "a primary").patroni.postgresql, signal.SIGKILL)
    time.sleep(seconds)


def lose_etcd(machines: Machines, seconds: float) -> None:
    """Kill two etcds of three, until the primary has stepped down. Nobody may be one without a majority."""
    with machines.all[0].etcd.dead(), machines.all[1].etcd.dead():
        wait_for(lambda: machines.find_primary() is None, "the end of the primary")
        time.sleep(seconds)


def faults(stage: Stage) -> dict[str, Fault]:
    """Return the faults by their names. Each leaves the cluster as it was, but for who is the primary."""
    one, machines = stage.groups[0], stage.machines
    primary, synchronous = machines.find_primary, machines.find_synchronous
    return {
        "nothing": time.sleep,
        "group one killed": hold(one.dead),
        "group one frozen": hold(one.frozen),
        "a process of group one killed": lambda seconds: send(one.pids[1:2], signal.SIGKILL),
        "both groups restarted in turn": lambda seconds: restart_in_turn(stage),
        "group one cut off from PgBouncer": hold(stage.group_links[0].frozen),
        "a worker killed": hold(stage.workers[0].dead),
        "both workers frozen": hold(*(worker.frozen for worker in stage.workers)),
        "Redis killed": hold(stage.redis.dead),
        "Redis frozen": hold(stage.redis.frozen),
        "nginx killed": hold(stage.front.dead),
        "PgBouncer killed": hold(stage.pooler.dead),
        "PgBouncer frozen": hold(stage.pooler.frozen),
        "haproxy killed": hold(machines.haproxy.dead),
        "the primary cut off from the service": hold(hurt_current(primary, lambda old: old.to_service.frozen())),
        "the primary's PostgreSQL killed": lambda seconds: kill_postgresql(machines, seconds),
        "the primary frozen for a moment": hold(hurt_current(primary, Machine.frozen)),
        "the primary's machine killed": hurt_until_replaced(primary, Machine.dead),
        "the primary's machine frozen": hurt_until_replaced(primary, Machine.frozen),
        "the primary cut off from etcd": hurt_until_replaced(primary, lambda old: old.to_etcd.frozen()),
        "the synchronous standby killed": hold(hurt_current(synchronous, Machine.dead)),
        "the synchronous standby frozen": hurt_until_replaced(synchronous, Machine.frozen),
        "the synchronous standby rebuilt": lambda seconds: machines.rebuild(),
        "etcd's leader killed": hold(hurt_current(machines.find_etcd_leader, lambda leader: leader.etcd.dead())),
        "two etcds of three killed": lambda seconds: lose_etcd(machines, seconds),
        "the provider killed": hold(stage.provider.dead),
        "the provider frozen": hold(stage.provider.frozen),
    }
