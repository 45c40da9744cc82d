"""What the API's schema says about addresses outside the API: feeds to subscribe to, and what webhooks receive."""

from drf_spectacular.utils import OpenApiWebhook, extend_schema

from gamenights.notices.notice_formats import SIGNATURE_HEADER, WebhookNotice
from gamenights.notices.webhook_post import RETRY_DELAYS
from pages.api.operations import refer_to_body
from pages.api.schema import register_feed

TOKEN = {
    "name": "token",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "description": "from groups/{code}/calendar/: made for one member, and it ends with their log-ins",
}
CODE = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}


def register_feeds() -> None:
    group, night = "/groups/calendar/{token}", "/nights/{code}/calendar"
    _register(f"{group}.ics", "group_calendar", "The nights of a group as a calendar.", "text/calendar", TOKEN)
    _register(f"{group}.atom", "group_feed", "The news of a group as Atom.", "application/atom+xml", TOKEN)
    _register(f"{night}.ics", "night_calendar", "One night as a calendar file.", "text/calendar", CODE)


def _register(path: str, name: str, sentence: str, kind: str, parameter: dict[str, object]) -> None:
    responses = {
        "200": {"description": sentence, "content": {kind: {"schema": {"type": "string"}}}},
        "404": {"description": "The address does not work, or no longer."},
    }
    register_feed(
        path,
        {
            "operationId": name,
            "summary": sentence.removesuffix("."),
            "tags": ["feeds"],
            "security": [],
            "parameters": [parameter],
            "responses": responses,
        },
    )


SIGNED = (
    f"The header {SIGNATURE_HEADER} is `t=…,v1=…`: the time in seconds, and the HMAC-SHA256 of that time, a full stop "
    "and the body, with the secret of the webhook. Any 2xx counts as delivered. Otherwise the same body is sent again "
    f"after {RETRY_DELAYS[0] // 60} minute, then later and later, {len(RETRY_DELAYS)} times."
)


def _webhook(name: str, summary: str, who: str, where: str) -> OpenApiWebhook:
    described = extend_schema(
        summary=summary,
        description=f"Sent to {who}. {SIGNED} {where}",
        tags=["webhooks"],
        request={"application/json": refer_to_body(WebhookNotice, has_key=False, is_partial=False)},
        responses={"2XX": None},
    )
    return OpenApiWebhook(name=name, decorator=described)


group_notice = _webhook(
    "group_notice", "News of a group", "the webhooks of a group", "Make and remove them at `groups/{code}/webhooks/`."
)
personal_notice = _webhook(
    "personal_notice", "What you want to hear about", "the webhook of your own", "Choose it at `me/notices/`."
)
