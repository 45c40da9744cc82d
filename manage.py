#!/usr/bin/env python
"""Django's command line."""

import atexit
import gc
import os
import sys

if __name__ == "__main__":
    gc.set_threshold(100_000)  # almost nothing that loading makes is garbage: the site starts sooner
    atexit.register(gc.freeze)  # the last look for garbage finds none that matters, and would take half a second
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        # A wrong value in the environment is one sentence, not a page of our own code.
        sys.exit(str(error))
    except OperationalError as error:
        from config.outages import database_sentence, is_outage

        if "--traceback" in sys.argv or not is_outage(error):
            raise
        sys.exit(database_sentence(error))
