"""gunicorn's worker with threads, as config/gunicorn.conf.py names it."""

from gunicorn.workers.gthread import ThreadWorker

from config.edge.metrics_files import metrics_files


class Worker(ThreadWorker):
    def is_parent_alive(self) -> bool:
        """Tell whether the master lives. If it was killed, close its port at once and let requests in hand end.

        Otherwise the orphans would keep the port for as long as a client keeps a connection, up to graceful_timeout.
        Nobody would accept there, and a new master could not listen. The metrics' files go too, since nobody else would
        remove them; what is mapped stays.
        """
        if super().is_parent_alive():
            return True
        self.set_accept_enabled(False)
        for listener in self.sockets:
            listener.close()
        metrics_files().remove()
        return False
