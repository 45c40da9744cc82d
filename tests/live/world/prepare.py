"""python -m tests.live.world.prepare <people>: makes the tables, log and people; prints what tests need as JSON.
python -m tests.live.world.prepare write <log> <text>…: writes to the log from a process of its own."""

import json
import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.live.world.settings"
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402

from log import services as log_services  # noqa: E402
from log.models import Log  # noqa: E402


def world(people: int) -> dict:
    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    cookies = []
    for number in range(people):
        user = get_user_model().objects.create_user(
            f"mouse{number}", password="cheese-and-thyme" if number < 3 else None
        )
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        cookies.append(session.session_key)
    return {"logs": [log_services.create_log("world").pk for _ in range(3)], "cookies": cookies}


def write(log_id: int, texts: list[str]) -> int:
    for text in texts:
        body = {"text": text}
        log_services.write(
            log_id,
            who="system",
            key=log_services.new_key(),
            body=body,
            act=lambda writer, body=body: {"entry": writer.append("note", actor=None, body=body).number},
        )
    return Log.objects.get(pk=log_id).version


if __name__ == "__main__":
    if sys.argv[1] == "write":
        print(write(int(sys.argv[2]), sys.argv[3:]))
    else:
        print(json.dumps(world(int(sys.argv[1]))))
