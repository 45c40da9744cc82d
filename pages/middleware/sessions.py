"""Django's sessions, without logging a browser out by an answer that comes late."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse


class LateAnswerSessionMiddleware(SessionMiddleware):
    """Leave the cookie alone when the session of a request had ended before the request was read.

    Logging in ends the session of before. A live page may have asked for something with that session a moment earlier.
    Django would answer with "delete the session cookie", and the browser would delete the new one: logged out again.
    A cookie without a session opens nothing, so it can stay. Logging out still deletes it: that empties a session here.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        session = getattr(request, "session", None)
        if session is not None and not session.modified and session.is_empty():
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        return response
