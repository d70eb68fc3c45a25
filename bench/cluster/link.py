"""A line between two parts, which can be cut: a TCP proxy that then forwards nothing and tells nobody."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.system.postgresql_servers import free_port

CHUNK = 65536


class Link:
    """Forwards connections to a port. While it is cut, bytes wait on both sides, as in a network that loses packets.

    Nobody gets a reset or a refusal: new connections are taken, since the kernel does that for a listener, and hang.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = free_port()
        self.loop = asyncio.new_event_loop()
        self.is_whole = asyncio.Event()
        self.is_whole.set()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self.listen(), self.loop).result()

    async def listen(self) -> None:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self.is_whole.wait()
            back, there = await asyncio.open_connection("127.0.0.1", self.target)
            try:
                await asyncio.gather(self.forward(reader, there), self.forward(back, writer))
            finally:
                there.close()
        except (OSError, asyncio.CancelledError):
            return  # nobody is there, or the link is closed
        finally:
            writer.close()

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self.is_whole.wait()
                writer.write(data)
                await writer.drain()
        await self.is_whole.wait()
        writer.close()

    @contextmanager
    def cut(self) -> Iterator[None]:
        self.loop.call_soon_threadsafe(self.is_whole.clear)
        try:
            yield
        finally:
            self.loop.call_soon_threadsafe(self.is_whole.set)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.end(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def end(self) -> None:
        self.server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # so that the sockets are closed
