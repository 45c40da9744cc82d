"""gunicorn's worker with a limit that a test can wait for."""

from config.gunicorn_worker import ImpatientWorker


class QuickWorker(ImpatientWorker):
    head_seconds = 0.5
