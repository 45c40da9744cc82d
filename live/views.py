"""Who may watch a log, and what a page must know to send what it kept."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from live.hub import Full
from live.streams import Ticket
from live.viewer import mark
from log import kinds
from log.models import Log
from refusal import Refusal


@require_safe
def stream(request: HttpRequest, logs: tuple[int, ...]) -> HttpResponse:
    """The head of a stream of "log L is now at version N"; live.streams writes its body."""
    kind = dict(Log.objects.filter(pk__in=logs).values_list("pk", "kind"))
    mine = tuple(log_id for log_id in logs if log_id in kind and kinds.may_watch(request.who, kind[log_id], log_id))
    if not mine:
        raise Http404
    ticket: Ticket | None = getattr(request, "scope", {}).get("live.ticket")
    if ticket is None:
        raise Refusal("This server has no live stream. The one that serves /live/ has it.", status=503)
    try:
        ticket.let_in(mine, owner=request.who.ref, page=request.GET.get("page", "")[:40])
    except Full as full:
        raise Refusal("Too many pages watch at once. This one looks again in a while.", status=503) from full
    # Only now: what is written between this look and the first news is news already.
    ticket.versions = dict.fromkeys(mine, 0) | dict(Log.objects.filter(pk__in=mine).values_list("pk", "version"))
    headers = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
    return HttpResponse(content_type="text/event-stream", headers=headers)


@never_cache
@require_safe
def token(request: HttpRequest) -> HttpResponse:
    """A token that is good now, and whose entries this browser would send: an outbox asks before it tries again."""
    return JsonResponse({"token": get_token(request), "who": mark(request.who)})
