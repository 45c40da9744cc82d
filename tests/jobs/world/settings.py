"""The real settings, with the tests' kinds of work known to every process."""

from config.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.jobs.world"]  # noqa: F405
