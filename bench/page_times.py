"""Compare pages with the API's answers for the same: `python -m bench.page_times http://127.0.0.1:8000 [rounds]`.

Page and API are requested in turn, so that whatever else the machine does slows both alike. Printed are medians in
milliseconds and the size of the page with its styles. Run the service under gunicorn with READ_RATE= (blank).
"""

import http.client
import json
import re
import sys
import time
from statistics import median
from urllib.parse import urlsplit

WARM_UP = 20


def compared_paths(get: "Client") -> dict[str, tuple[str, str]]:
    """Return the path of each page and of the API's route for the same boards, by name."""
    board = json.loads(get("/api/boards?pageSize=1")[0])["boards"][0]["id"]
    return {
        "one board": (f"/boards/{board}", f"/api/boards/{board}"),
        "twelve boards": ("/boards", "/api/boards?pageSize=12"),
        "themes": ("/themes", "/api/themes"),
        "home": ("/", "/api/boards?pageSize=6"),
    }


class Client:
    """A client with one connection, kept alive as a browser does."""

    def __init__(self, base: str) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(base).netloc)

    def __call__(self, path: str) -> tuple[bytes, float]:
        started_at = time.perf_counter()
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == http.client.OK, (path, response.status)
        return body, (time.perf_counter() - started_at) * 1000


def size_with_styles(get: Client, page: bytes) -> int:
    styles = re.findall(rb'rel="stylesheet" href="([^"]+)"', page)
    return len(page) + sum(len(get(style.decode())[0]) for style in styles)


def main(base: str, rounds: int) -> None:
    get = Client(base)
    for name, (page, route) in compared_paths(get).items():
        times: dict[str, list[float]] = {page: [], route: []}
        for _ in range(WARM_UP + rounds):
            for path, durations in times.items():
                durations.append(get(path)[1])
        page_time, api_time = (median(times[path][WARM_UP:]) for path in (page, route))
        kilobytes = size_with_styles(get, get(page)[0]) / 1000
        times_shown = f"page {page_time:.1f} ms, API {api_time:.1f} ms, {page_time / api_time:.2f}×"
        print(f"{name}: {times_shown}, {kilobytes:.1f} kB")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300)
