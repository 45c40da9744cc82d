"""Django's sessions in the database, read with a prepared query: every request of a known browser reads one."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from prepared_queries import prepared_query


@prepared_query
def _valid_sessions(key: str, now: dt.datetime) -> Any:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


class SessionStore(DatabaseSessionStore):
    def _get_session_from_db(self) -> Session | None:
        found = _valid_sessions.first(self.session_key, timezone.now()) if self.session_key else None
        if found is None:
            self._session_key = None
        return found
