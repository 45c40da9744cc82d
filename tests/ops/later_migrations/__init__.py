"""All migrations of jobs, and the one in this folder."""

from pathlib import Path

import jobs.migrations

__path__ = [*jobs.migrations.__path__, str(Path(__file__).parent)]
