"""How far a long command is, for whoever watches it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(*, unit: str, total: int | None = None) -> Iterator[Callable[[int], object]]:
    """A bar on standard error; what it yields is told how many more are done.

    Where standard error is no terminal nothing is written, and tqdm, which takes 60 ms to import, is not imported.
    """
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=f" {unit}", file=sys.stderr, dynamic_ncols=True) as bar:
        yield bar.update
