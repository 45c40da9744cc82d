"""This project one release later: one more migration, which adds a column and fills it for old rows."""

from config.settings import *  # noqa: F403

MIGRATION_MODULES = {"jobs": "tests.ops.later_migrations"}
