"""`python -m bench.page_times http://127.0.0.1:8000 [rounds]`: pages against the API's answers for the same.

Asks for each in turn, so that whatever else the machine does falls on both alike; prints medians in milliseconds and
what the page weighs with its styles. Run the service under gunicorn with READ_RATE= (blank).
"""

import http.client
import json
import re
import sys
import time
from statistics import median
from urllib.parse import urlsplit

WARM_UP = 20


def pairs(ask: "Asker") -> dict[str, tuple[str, str]]:
    """What is compared, by name: the page and the API's route for the same boards."""
    board = json.loads(ask("/api/boards?pageSize=1")[0])["boards"][0]["id"]
    return {
        "one board": (f"/boards/{board}", f"/api/boards/{board}"),
        "twelve boards": ("/boards", "/api/boards?pageSize=12"),
        "themes": ("/themes", "/api/themes"),
        "home": ("/", "/api/boards?pageSize=6"),
    }


class Asker:
    """One connection, kept alive as a browser would."""

    def __init__(self, base: str) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(base).netloc)

    def __call__(self, path: str) -> tuple[bytes, float]:
        started = time.perf_counter()
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == http.client.OK, (path, response.status)
        return body, (time.perf_counter() - started) * 1000


def weight(ask: Asker, page: bytes) -> int:
    styles = re.findall(rb'rel="stylesheet" href="([^"]+)"', page)
    return len(page) + sum(len(ask(style.decode())[0]) for style in styles)


def main(base: str, rounds: int) -> None:
    ask = Asker(base)
    for name, (page, route) in pairs(ask).items():
        times: dict[str, list[float]] = {page: [], route: []}
        for _ in range(WARM_UP + rounds):
            for path, taken in times.items():
                taken.append(ask(path)[1])
        shown, plain = (median(times[path][WARM_UP:]) for path in (page, route))
        kilobytes = weight(ask, ask(page)[0]) / 1000
        print(f"{name}: page {shown:.1f} ms, API {plain:.1f} ms, {shown / plain:.2f}×, {kilobytes:.1f} kB")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300)
