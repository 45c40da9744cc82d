"""Links: passes to one thing each, and the personal links of guests. Apps register their kinds of passes here."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from django.db import transaction
from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from pages.home_items import HomeItem
from people import guests as guests_services, rate_limits
from people.accounts import log_ins
from people.accounts.log_ins import PASSES_KEY, attach_requester
from people.models import Pass, Person, PersonalLink
from people.name_validation import MAX_STORED, clean_text, inline_name
from people.passes import tokens
from people.requester import Who
from refusal import Refusal

OFFERS_KEY = "offers"  # links opened in this browser
ANSWERED_KEY = "answered"  # those that were accepted
MAX_OFFERS = 10
MAX_HELD = 40


Filled = Mapping[str, str]  # what somebody filled in: "name", "password"


@dataclass(frozen=True, slots=True)
class PassPrompt:
    """What someone sees before accepting a pass: a sentence and one button."""

    sentence: str
    button: str = "Accept"
    more: str = ""


@dataclass(frozen=True, slots=True)
class PassKind:
    """One kind of pass.

    ``prompt`` describes the pass to whoever opens it, or returns None if its target is gone. ``on_accept`` acts and
    returns the next URL, outside a transaction, because writing to a log opens its own. ``belongs_to`` says when it
    ends early: with its "person" if its target is one, with its "maker", or not because it belongs to a "game". See
    people.accounts.services. With ``holds`` the browser
    keeps the pass in ``who.passes``. ``needs_person`` lets newcomers give a name first. ``invites`` lets the holder
    sign up where that takes an invitation. ``page`` replaces the whole page; ``accept_filled`` does what that page does
    with what was filled in, a name and a password, and returns the next URL. ``why_name_taken`` refuses a name.
    ``scope`` is what an API token needs to be shown the link: "play" if it only plays in one game and ends with it.
    """

    key: str
    title: str
    prompt: Callable[[Pass, Who], PassPrompt | None]
    belongs_to: Literal["person", "maker", "game"]
    on_accept: Callable[[Pass, HttpRequest], str] | None = None
    holds: bool = False
    needs_person: bool = False
    invites: bool = False
    page: Callable[[HttpRequest, Pass], HttpResponse] | None = None
    accept_filled: Callable[[HttpRequest, Pass, Filled], str] | None = None
    why_name_taken: Callable[[Pass, str], str] | None = None
    scope: Literal["play", "run"] = "run"


_kinds: dict[str, PassKind] = {}


def register_kind(key: str, title: str, **rest: Any) -> PassKind:
    _kinds[key] = PassKind(key, title, **rest)
    return _kinds[key]


def kind_of(row: Pass) -> PassKind | None:
    return _kinds.get(row.kind)


def create_pass(
    kind: str,
    target: int | None,
    *,
    by: Who | None,
    label: str = "",
    lasts: dt.timedelta | None = dt.timedelta(days=14),
    uses: int | None = 1,
) -> Pass:
    """Create a pass. Pages show ``guest_url(row.get_absolute_url())``, the API ``shown_secrets.link_address``."""
    if kind not in _kinds:
        raise KeyError(kind)
    return Pass.objects.create(
        kind=kind,
        target=target,
        label=clean_text(label)[:MAX_STORED],
        made_by=by.person if by else None,
        expires_at=timezone.now() + lasts if lasts else None,
        uses_left=uses,
    )


def revoke_pass(row: Pass) -> None:
    """Revoke a pass: the link stops working, also for whoever holds it."""
    Pass.objects.filter(pk=row.pk, revoked_at=None).update(revoked_at=timezone.now())


def revoke_passes_to(kind: str, target: int) -> None:
    Pass.objects.open().filter(kind=kind, target=target).update(revoked_at=timezone.now())


def revoke_passes_of(ids: Sequence[int]) -> None:
    """Revoke the links to these people, and those they made to other people and to the site."""
    people = [kind.key for kind in _kinds.values() if kind.belongs_to == "person"]
    theirs = [kind.key for kind in _kinds.values() if kind.belongs_to != "game"]
    open_now = Pass.objects.open()
    open_now.filter(Q(kind__in=people, target__in=ids) | Q(kind__in=theirs, made_by__in=ids)).update(
        revoked_at=timezone.now()
    )


PassState = Literal["open", "revoked", "expired", "used"]


def state_of(row: Pass, now: dt.datetime | None = None) -> PassState:
    now = now or timezone.now()
    if row.revoked_at:
        return "revoked"
    if row.expires_at and row.expires_at <= now:
        return "expired"
    if row.uses_left == 0:
        return "used"
    return "open"


WHY_DEAD = {
    "revoked": "This link was revoked.",
    "expired": "This link has expired.",
    "used": "This link has already been used.",
}


def dead_pass_refusal(row: Pass | None) -> Refusal:
    sentence = WHY_DEAD.get(state_of(row) if row else "", "This link leads to something that no longer exists.")
    return Refusal(f"{sentence} Ask for a new one.", status=410)


# ── In the browser ───────────────────────────────────────────────────────────────────────────────────────


def offer_pass(request: HttpRequest, row: Pass) -> None:
    """Remember that the link was opened in this browser."""
    _add_to_session(request, OFFERS_KEY, row, MAX_OFFERS)
    request.session[ANSWERED_KEY] = [pk for pk in request.session.get(ANSWERED_KEY, []) if pk != row.pk]


def find_offer(request: HttpRequest, pk: int) -> Pass | None:
    """The pass with this number, if its link was opened in this browser."""
    if pk not in request.session.get(OFFERS_KEY, []) and pk not in request.session.get(PASSES_KEY, []):
        return None
    return Pass.objects.filter(pk=pk).select_related("made_by__merged_into").first()


def find_open_offers(request: HttpRequest) -> list[Pass]:
    """Opened passes that are not answered yet."""
    ids = set(request.session.get(OFFERS_KEY, [])) - set(request.session.get(ANSWERED_KEY, []))
    return list(Pass.objects.open().filter(pk__in=ids).select_related("made_by__merged_into")) if ids else []


def find_invitation(request: HttpRequest) -> Pass | None:
    """An open invitation in this browser with which an account can be created."""
    return next((row for row in find_open_offers(request) if (kind := kind_of(row)) and kind.invites), None)


def close_offer(request: HttpRequest, row: Pass) -> None:
    """Mark the pass as answered. Its page still works in this browser."""
    _add_to_session(request, ANSWERED_KEY, row, MAX_OFFERS)


def hold_pass(request: HttpRequest, row: Pass) -> None:
    _add_to_session(request, PASSES_KEY, row, MAX_HELD)
    attach_requester(request)


def _add_to_session(request: HttpRequest, name: str, row: Pass, most: int) -> None:
    others = [pk for pk in request.session.get(name, []) if pk != row.pk]
    request.session[name] = [*others, row.pk][-most:]


def use_pass(row: Pass) -> None:
    """Use the pass once, or refuse if no uses are left."""
    now = timezone.now()
    if not Pass.objects.open(now).filter(pk=row.pk).update(uses_left=F("uses_left") - 1, used_at=now):
        row.refresh_from_db()
        raise dead_pass_refusal(row)


def accept_pass(request: HttpRequest, row: Pass) -> str:
    """Accept the pass, do what it is for and return the next URL."""
    kind = kind_of(row)
    if kind is None:
        raise dead_pass_refusal(None)
    holds_already = row.pk in request.session.get(PASSES_KEY, [])
    if not holds_already:
        use_pass(row)
    try:
        to = kind.on_accept(row, request) if kind.on_accept else "/"
    except Exception:
        if not holds_already:
            Pass.objects.filter(pk=row.pk, uses_left__isnull=False).update(uses_left=F("uses_left") + 1)
        raise
    close_offer(request, row)
    if kind.holds:
        hold_pass(request, row)
    return to


def use_pass_and_run(row: Pass, act: Callable[[], Any]) -> Any:
    """Use the pass and run ``act``, both or neither."""
    with transaction.atomic():
        use_pass(row)
        return act()


# ── Personal links: how guests log in ────────────────────────────────────────────────────────────────────


def issue_link(person: Person, *, by: Who) -> PersonalLink:
    """Make a new link. The old one and every log-in made with it end."""
    if not can_issue(person, by):
        raise Refusal(
            "Only they can make this link, or the person who looks after them until they have an account.", status=403
        )
    with transaction.atomic():
        Person.objects.select_for_update(no_key=True).get(pk=person.pk)  # lock: one new link at a time
        PersonalLink.objects.filter(person=person).delete()
        return PersonalLink.objects.create(person=person, made_by=by.person)


def can_issue(person: Person, who: Who) -> bool:
    if who.person is None or not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        return False
    # Someone who only holds the link of an account must not be able to replace it.
    return not (person.has_account and who.user is None)


def find_personal_link(person: Person) -> PersonalLink | None:
    link = (
        PersonalLink.objects.filter(person=person).select_related("person__merged_into", "made_by__merged_into").first()
    )
    return link if link and is_link_valid(link) else None


def is_link_valid(link: PersonalLink) -> bool:
    """Links made by someone else stop working once the person has an account."""
    root = link.person.root
    if root.is_forgotten or link.ended_at is not None:
        return False
    return not root.has_account or (link.made_by is not None and link.made_by.root == root)


# ── Opening a link, on a page or by API ────────────────────────────────────────────────────────────────


NO_SUCH_LINK = "This link does not work. Ask for a new one."
NO_SUCH_PERSONAL_LINK = (
    "This personal link does not work. It may have been replaced. Ask the person who gave it to you."
)

Row = TypeVar("Row", Pass, PersonalLink)


def find_by_token(request: HttpRequest, model: type[Row], token: str) -> Row | None:
    """The row of this token. Wrong tokens are limited; a right one always works, whatever others on the network do."""
    row = None
    if tokens.SHAPE.fullmatch(token):
        maker = "made_by__merged_into"
        related = (maker, "person__merged_into") if model is PersonalLink else (maker,)
        row = model.objects.filter(token_hash=tokens.hash_of(token)).select_related(*related).first()
    if row is None:
        rate_limits.TOKENS.count_use(request)
    return row


def token_in(sent: str) -> str:
    """The token in a whole address, or as it is."""
    return sent.strip().rstrip("/").rpartition("/")[2]


def personal_link_refusal(link: PersonalLink) -> Refusal | None:
    """Why a personal link that exists does not log anybody in, or None."""
    if is_link_valid(link):
        return None
    person = link.person.root
    if person.is_forgotten:
        return Refusal("This personal link no longer works.", status=410)
    if not person.has_account:
        return Refusal("This personal link has ended. Ask for a new one.", status=410)
    sentence = f"{inline_name(person.name)} has an account now. Log in with its name and password."
    return Refusal(sentence, status=410)


def require_open(row: Pass, who: Who) -> tuple[PassKind, PassPrompt]:
    """What the pass is, and what it asks this person, if it still works."""
    kind = kind_of(row)
    holds = any(held.pk == row.pk for held in who.passes)
    if kind is None or (state_of(row) != "open" and not holds):
        raise dead_pass_refusal(row)
    prompt = kind.prompt(row, who)
    if prompt is None:
        raise dead_pass_refusal(None)
    return kind, prompt


def check_newcomer(request: HttpRequest, row: Pass, kind: PassKind, name: str) -> None:
    """Whether somebody of this name can come in by this pass."""
    if not kind.needs_person or request.who.is_known:
        raise Http404
    if kind.why_name_taken and (why := kind.why_name_taken(row, name)):
        raise Refusal(why, field="name")
    rate_limits.SIGN_UP.count_use(request)


def accept_by_name(request: HttpRequest, row: Pass, name: str) -> str:
    """Accept a pass with just a name: creates a guest with a personal link, and logs them in."""
    newcomer = guests_services.create_guest(name, row.made_by and row.made_by.root)
    log_ins.log_in_by_link(request, issue_link(newcomer, by=Who.of(newcomer)))
    return accept_pass(request, row)


def find_home_items(request: HttpRequest) -> Iterator[HomeItem]:
    """Invitations that were opened but not yet answered."""
    for row in find_open_offers(request):
        kind = kind_of(row)
        prompt = kind and kind.prompt(row, request.who)
        if kind and prompt:
            yield HomeItem(
                group="me",
                title=kind.title,
                text=prompt.sentence,
                url=reverse("people:accept_pass", args=[row.pk]),
                button="Open",
                icon="c-seal",
            )
