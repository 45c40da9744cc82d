"""The real settings, with the tests' job kinds known to every process."""

from config.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.jobs.test_app"]  # noqa: F405
