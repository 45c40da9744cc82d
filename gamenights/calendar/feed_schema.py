"""The calendars and the news feed of a group, for the API's schema: programs subscribe to them."""

from __future__ import annotations

from pages.api.schema_hooks import register_feed

TOKEN = {
    "name": "token",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "description": "from groups/{code}/calendar/: made for one member, and it ends with their log-ins",
}
CODE = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}


def register() -> None:
    for path, name, sentence, kind, parameter in (
        (
            "/groups/calendar/{token}.ics",
            "group_calendar",
            "The nights of a group as a calendar.",
            "text/calendar",
            TOKEN,
        ),
        ("/groups/calendar/{token}.atom", "group_feed", "The news of a group as Atom.", "application/atom+xml", TOKEN),
        ("/nights/{code}/calendar.ics", "night_calendar", "One night as a calendar file.", "text/calendar", CODE),
    ):
        content = {kind: {"schema": {"type": "string"}}}
        register_feed(
            path,
            {
                "operationId": name,
                "summary": sentence.removesuffix("."),
                "tags": ["feeds"],
                "security": [],
                "parameters": [parameter],
                "responses": {
                    "200": {"description": sentence, "content": content},
                    "404": {"description": "The address does not work, or no longer."},
                },
            },
        )
