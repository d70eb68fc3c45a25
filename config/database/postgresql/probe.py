"""A connection of the monitor's own to one server, on which it is asked how it is."""

import asyncio
import time
from typing import Any, LiteralString

from django.db import connections
from psycopg import AsyncConnection, Error

CONNECT_SECONDS = 2
"""An attempt to connect starts again after this time: the network retries its packets ever more rarely."""
STEP_SECONDS = 0.1

Rows = list[tuple[Any, ...]]


class Probe:
    """One connection, made when it is first needed, and again when it is lost. It asks one question at a time."""

    def __init__(self, alias: str) -> None:
        parameters = connections[alias].get_connection_params()
        parameters.pop("cursor_factory", None)
        own = {"autocommit": True, "prepare_threshold": None, "connect_timeout": CONNECT_SECONDS}
        self.parameters = {**parameters, **own}
        self.connection: AsyncConnection[Any] | None = None
        self.asking: asyncio.Task[Rows] | None = None
        self.turn = asyncio.Lock()

    async def ask(self, question: LiteralString, seconds: float) -> Rows | None:
        """Return the answer, or None when none comes within `seconds`.

        Raise ConnectionError when the server cannot be reached. An unanswered query stays open: its answer shows that
        the server works again, and then this one is sent. To cancel it would wait for the server as well.
        """
        async with self.turn:
            deadline = time.monotonic() + seconds
            while True:
                is_new = self.asking is None
                asking = self.asking = self.asking or asyncio.create_task(self.fetch(question))
                # In steps: a thread that got no processor time finds the answer that came meanwhile.
                for _ in range(max(1, round((deadline - time.monotonic()) / STEP_SECONDS))):
                    await asyncio.wait({asking}, timeout=STEP_SECONDS)
                    if asking.done():
                        break
                else:
                    return None
                self.asking = None
                try:
                    rows = asking.result()
                except (Error, OSError) as error:
                    await self.close()
                    raise ConnectionError(str(error)) from error
                if is_new:
                    return rows

    async def fetch(self, question: LiteralString) -> Rows:
        if self.connection is None:
            self.connection = await AsyncConnection.connect(**self.parameters)
        return await (await self.connection.execute(question)).fetchall()

    async def close(self) -> None:
        if self.connection is not None:
            await self.connection.close()
        self.connection = None
