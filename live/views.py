"""Open an event stream, and give an outbox what it needs to send what it saved."""

import datetime as dt

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from live.hub import HubFull, versions_of
from live.shared_parts import viewer_mark_of
from live.streams import StreamRequest
from log import registry as log_registry
from log.models import Log
from pages.refusal_handling import set_retry_after
from people.accounts.log_ins import browser_of
from people.guests import is_remembered_guest
from people.models import Person
from people.rate_limits import address_of
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal

# When there is no room for another stream, pages ask again by themselves.
RETRY_AFTER = 30
NEW_FOR = dt.timedelta(days=1)


@prepared_query
def _kinds(log_ids: tuple[int, ...]) -> QuerySet[Log]:
    return Log.objects.filter(pk__in=log_ids).values_list("pk", "kind")


@require_safe
def stream(request: HttpRequest, logs: tuple[int, ...]) -> HttpResponse:
    """The head of a stream of "log L is now at version N"; live.streams writes its body."""
    kind = dict(_kinds(logs))
    mine = tuple(
        log_id for log_id in logs if log_id in kind and log_registry.can_watch(request.who, kind[log_id], log_id)
    )
    if not mine:
        raise Http404
    ticket: StreamRequest | None = request.META.get("asgi.scope", {}).get("live.ticket")
    if ticket is None:
        raise Refusal("This server has no live stream. Route /live/ to one that has.", status=503)
    ticket.logs = mine
    if ticket.is_open:  # it only asks whether its viewer may still watch
        return HttpResponse(status=204)
    try:
        ticket.subscribe(
            owner=stream_owner(request),
            page=request.GET.get("page", "")[:40],
            stranger_at="" if is_member(request.who) else address_of(request) or "unknown",
        )
    except HubFull as full:
        set_retry_after(request, RETRY_AFTER)
        raise Refusal("Too many pages are open at once. This one will try again soon.", status=503) from full
    # Only now: what is written between this look and the first news is news already.
    ticket.versions = dict.fromkeys(mine, 0) | dict(versions_of(mine))
    headers = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
    return HttpResponse(content_type="text/event-stream", headers=headers)


def stream_owner(request: HttpRequest) -> str:
    """Who shares one room of streams: a person, else a browser. All who watch a table hold the same pass."""
    return request.who.ref if request.who.is_known else f"browser:{browser_of(request).id}"


def is_member(who: Who) -> bool:
    """Somebody we know, or who holds a link that somebody gave them.

    Anybody can make up any number of guests by giving names: those are strangers until they are a day old.
    """
    if who.user is not None:
        return True
    if who.person is not None:
        return not (is_remembered_guest(who) and _is_new_guest(who.person))
    return any(held.made_by is not None and not _is_new_guest(held.made_by) for held in who.passes)


def _is_new_guest(person: Person) -> bool:
    return not person.has_account and person.created_at > timezone.now() - NEW_FOR


@never_cache
@require_safe
def token(request: HttpRequest) -> HttpResponse:
    """A fresh CSRF token and the viewer's id: an outbox asks for both before it retries."""
    return JsonResponse({"token": get_token(request), "who": viewer_mark_of(request.who)})
