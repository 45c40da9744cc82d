"""The event stream, for the API's schema."""

from __future__ import annotations

from pages.api.schema import register_feed


def register() -> None:
    sentence = "News that something has changed: its log and new version, and nothing else. Then ask for it again."
    register_feed(
        "/live/{logs}/",
        {
            "operationId": "live_stream",
            "summary": "Server-sent events about logs you can see",
            "description": sentence,
            "tags": ["feeds"],
            "security": [{"token": []}, {"session": []}, {}],
            "parameters": [
                {
                    "name": "logs",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string"},
                    "description": "from the field “live” of an answer; up to twenty, separated by commas",
                }
            ],
            "responses": {
                "200": {"description": sentence, "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                "404": {"description": "There is no such log that you can see."},
                "503": {"description": "Too many streams are open. Retry-After says when to try again."},
            },
        },
    )
