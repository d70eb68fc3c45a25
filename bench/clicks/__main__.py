"""Count what everyday tasks cost a club's staff, in clicks and typed fields: `python -m bench.clicks [FOLDER]`.

It starts the service on a scratch database and does fifteen tasks in a real browser as a person would: by what the
pages show. Each task takes the better way where there is one, so that two versions can be compared. With a folder, the
page at which each task ends is stored there as a picture. It exits with 1 when a task failed. chromium must be on PATH.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

from bench.clicks.staff import NotPossible, Staff
from bench.clicks.tasks import TASKS
from tests.system import deployment


def main(pictures: Path | None) -> None:
    with deployment.database() as url, tempfile.TemporaryDirectory() as folder:
        environment = deployment.of(url, "", WEB_CONCURRENCY="1", CACHE_URL="")
        file = Path(folder) / "last-night.pbn"
        fill = [sys.executable, "-m", "bench.clicks.world", str(file)]
        subprocess.run(fill, cwd=deployment.ROOT, env=environment, check=True)
        with deployment.gunicorn(environment) as port, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(10_000)
            failed = do_tasks(Staff(page, f"http://127.0.0.1:{port}"), str(file), pictures)
            chromium.close()
    sys.exit(failed)


def do_tasks(staff: Staff, file: str, pictures: Path | None) -> bool:
    """Print a row for each task. Return whether one failed."""
    failed = False
    say("| task | clicks | fields | remark |\n| --- | --- | --- | --- |")
    for number, (name, task) in enumerate(TASKS.items(), start=1):
        staff.begin()
        try:
            task(staff, file)
            say(f"| {name} | {staff.clicks} | {staff.fields} | |")
        except NotPossible as reason:
            say(f"| {name} | not possible | | {reason} |")
        except (Error, AssertionError, ValueError) as error:
            failed = True
            say(f"| {name} | failed | | after {staff.clicks} clicks: {str(error).splitlines()[0]} |")
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            staff.page.screenshot(path=pictures / f"{number:02}-{name.replace(' ', '-')}.png")
    return failed


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
