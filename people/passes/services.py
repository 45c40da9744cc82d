"""Passes: links to one thing each. The apps register their kinds; making, opening, taking up and revoking is the same for all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from people.log_ins import PASSES, introduce
from people.models import Pass
from people.names import STORED, clean_text
from people.who import Who
from refusal import Refusal

OFFERS = "offers"  # links opened in this browser
ANSWERED = "answered"  # those of them that were taken up
OFFERS_MOST = 10
HELD_MOST = 40


@dataclass(frozen=True, slots=True)
class Ask:
    """What a page says before anything happens: what this is, and the one button."""

    sentence: str
    button: str = "Accept"
    more: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of pass.

    ``ask`` says what it is, or gives None when the thing it led to is gone. ``on_accept`` acts and gives the address to go
    on to; it runs outside a transaction, because the log's door wants its own. With ``holds`` the browser keeps the pass
    and it shows in ``who.passes``. ``needs_person`` lets newcomers give a name first. ``invites`` lets the holder make an
    account where sign-up is by invitation. ``page`` draws the whole page instead, form and all. ``taken`` says in a
    sentence why a newcomer cannot come under this name.
    """

    key: str
    title: str
    ask: Callable[[Pass, Who], Ask | None]
    on_accept: Callable[[Pass, HttpRequest], str] | None = None
    holds: bool = False
    needs_person: bool = False
    invites: bool = False
    page: Callable[[HttpRequest, Pass], HttpResponse] | None = None
    taken: Callable[[Pass, str], str] | None = None


_kinds: dict[str, Kind] = {}


def register(key: str, title: str, **rest: Any) -> Kind:
    _kinds[key] = Kind(key, title, **rest)
    return _kinds[key]


def kind_of(row: Pass) -> Kind | None:
    return _kinds.get(row.kind)


def make(
    kind: str,
    target: int | None,
    *,
    by: Who | None,
    label: str = "",
    lasts: dt.timedelta | None = dt.timedelta(days=14),
    uses: int | None = 1,
) -> Pass:
    """A new pass. Its address is ``pages.address.guest_url(row.get_absolute_url())``."""
    if kind not in _kinds:
        raise KeyError(kind)
    return Pass.objects.create(
        kind=kind,
        target=target,
        label=clean_text(label)[:STORED],
        made_by=by.person if by else None,
        expires_at=timezone.now() + lasts if lasts else None,
        uses_left=uses,
    )


def revoke(row: Pass) -> None:
    """Take a pass back: the link opens nothing any more and whoever holds it loses it."""
    Pass.objects.filter(pk=row.pk, revoked_at=None).update(revoked_at=timezone.now())


def revoke_all(kind: str, target: int) -> None:
    Pass.objects.open().filter(kind=kind, target=target).update(revoked_at=timezone.now())


def state_of(row: Pass, now: dt.datetime | None = None) -> str:
    now = now or timezone.now()
    if row.revoked_at:
        return "revoked"
    if row.expires_at and row.expires_at <= now:
        return "expired"
    if row.uses_left == 0:
        return "used"
    return "open"


WHY_DEAD = {
    "revoked": "This link was taken back.",
    "expired": "This link has run out.",
    "used": "This link has been used. It works once.",
}


def gone(row: Pass | None) -> Refusal:
    sentence = WHY_DEAD.get(state_of(row) if row else "", "What this link led to is no longer there.")
    return Refusal(f"{sentence} Ask whoever gave it to you for a new one.", status=410)


# ── In the browser ───────────────────────────────────────────────────────────────────────────────────────


def offer(request: HttpRequest, row: Pass) -> None:
    """The link was opened: remember that, and do nothing else."""
    _add(request, OFFERS, row, OFFERS_MOST)
    request.session[ANSWERED] = [pk for pk in request.session.get(ANSWERED, []) if pk != row.pk]


def offered(request: HttpRequest, pk: int) -> Pass | None:
    """The pass with this number, if its link was opened in this browser."""
    if pk not in request.session.get(OFFERS, []) and pk not in request.session.get(PASSES, []):
        return None
    return Pass.objects.filter(pk=pk).select_related("made_by__merged_into").first()


def open_offers(request: HttpRequest) -> list[Pass]:
    """Those that still wait for an answer."""
    ids = set(request.session.get(OFFERS, [])) - set(request.session.get(ANSWERED, []))
    return list(Pass.objects.open().filter(pk__in=ids).select_related("made_by__merged_into")) if ids else []


def invitation_in(request: HttpRequest) -> Pass | None:
    """An open invitation in this browser that lets its holder make an account."""
    return next((row for row in open_offers(request) if (kind := kind_of(row)) and kind.invites), None)


def answered(request: HttpRequest, row: Pass) -> None:
    """It waits no longer. Its page stays for this browser, so that going back there says what became of it."""
    _add(request, ANSWERED, row, OFFERS_MOST)


def hold(request: HttpRequest, row: Pass) -> None:
    _add(request, PASSES, row, HELD_MOST)
    introduce(request)


def _add(request: HttpRequest, name: str, row: Pass, most: int) -> None:
    others = [pk for pk in request.session.get(name, []) if pk != row.pk]
    request.session[name] = [*others, row.pk][-most:]


def take_up(row: Pass) -> None:
    """Use the pass once. Of two at the same moment only as many get through as uses are left."""
    now = timezone.now()
    if not Pass.objects.open(now).filter(pk=row.pk).update(uses_left=F("uses_left") - 1, used_at=now):
        row.refresh_from_db()
        raise gone(row)


def accept(request: HttpRequest, row: Pass) -> str:
    """Take the pass up and do what it is for. Gives the address to go on to."""
    kind = kind_of(row)
    if kind is None:
        raise gone(None)
    holds_already = row.pk in request.session.get(PASSES, [])
    if not holds_already:
        take_up(row)
    try:
        to = kind.on_accept(row, request) if kind.on_accept else "/"
    except Exception:
        if not holds_already:
            Pass.objects.filter(pk=row.pk, uses_left__isnull=False).update(uses_left=F("uses_left") + 1)
        raise
    answered(request, row)
    if kind.holds:
        hold(request, row)
    return to


def use_once(row: Pass, act: Callable[[], Any]) -> Any:
    """Take the pass up and act, both or neither."""
    with transaction.atomic():
        take_up(row)
        return act()
