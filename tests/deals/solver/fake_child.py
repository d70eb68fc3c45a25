"""Speak the child's protocol without solving anything, and misbehave as the plan says: `fake_child.py '{…}'`.

crash, sigkill, hang, garbage, refuse: deals (or "batch", any request for more than one) that make it do so.
crash_once: the name of a file; the first request that finds the file removes it and crashes.
start: "crash", "hang" or "unavailable". log: a file to which each request adds its number of deals.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

PAR = {name: {"score": 0, "contracts": ["Pass"]} for name in ("None", "NS", "EW", "All")}


def misbehave(fault: str) -> None:
    if fault == "crash":
        os._exit(86)
    if fault == "sigkill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "hang":
        time.sleep(600)


def start(how: str) -> None:
    misbehave(how)
    if how == "unavailable":
        write({"ready": False, "reason": "Neither endplay nor open-spiel is installed."})
        sys.exit()
    write({"ready": True})


def write(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(plan: dict[str, Any], batch: list[str]) -> None:
    if "log" in plan:
        with Path(plan["log"]).open("a") as log:
            log.write(f"{len(batch)}\n")
    marker = Path(plan.get("crash_once", ""))
    if marker.is_file():
        marker.unlink()
        misbehave("crash")
    for cards in batch:
        kinds = {cards, "batch"} if len(batch) > 1 else {cards}
        for fault in ("crash", "sigkill", "hang"):
            if kinds & set(plan.get(fault, ())):
                misbehave(fault)
        if kinds & set(plan.get("garbage", ())):
            write({"table": "not twenty digits", "par": PAR})
        elif kinds & set(plan.get("refuse", ())):
            write({"refused": "not 52 cards"})
        else:
            write({"table": "7" * 20, "par": PAR})


def main() -> None:
    plan = json.loads(sys.argv[1])
    start(plan.get("start", ""))
    for line in sys.stdin:
        answer(plan, json.loads(line)["questions"])


main()
