"""Opening a link: find it by its token, and accept it. Pages and API do this with the same refusals."""

from __future__ import annotations

from typing import TypeVar

from django.http import Http404, HttpRequest

from people import rate_limits
from people.accounts import log_ins
from people.guests import services as guests_services
from people.models import Pass, PersonalLink
from people.name_validation import inline_name
from people.passes import personal_links, services, tokens
from people.requester import Who
from refusal import Refusal

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
    if personal_links.is_link_valid(link):
        return None
    person = link.person.root
    if person.is_forgotten:
        return Refusal("This personal link no longer works.", status=410)
    if not person.has_account:
        return Refusal("This personal link has ended. Ask for a new one.", status=410)
    sentence = f"{inline_name(person.name)} has an account now. Log in with its name and password."
    return Refusal(sentence, status=410)


def require_open(row: Pass, who: Who) -> tuple[services.PassKind, services.PassPrompt]:
    """What the pass is, and what it asks this person, if it still works."""
    kind = services.kind_of(row)
    holds = any(held.pk == row.pk for held in who.passes)
    if kind is None or (services.state_of(row) != "open" and not holds):
        raise services.dead_pass_refusal(row)
    prompt = kind.prompt(row, who)
    if prompt is None:
        raise services.dead_pass_refusal(None)
    return kind, prompt


def check_newcomer(request: HttpRequest, row: Pass, kind: services.PassKind, name: str) -> None:
    """Whether somebody of this name can come in by this pass."""
    if not kind.needs_person or request.who.is_known:
        raise Http404
    if kind.why_name_taken and (why := kind.why_name_taken(row, name)):
        raise Refusal(why, field="name")
    rate_limits.SIGN_UP.count_use(request)


def accept_by_name(request: HttpRequest, row: Pass, name: str) -> str:
    """Accept a pass with just a name: creates a guest with a personal link, and logs them in."""
    newcomer = guests_services.create_guest(name, row.made_by and row.made_by.root)
    log_ins.log_in_by_link(request, personal_links.issue_link(newcomer, by=Who.of(newcomer)))
    return services.accept_pass(request, row)
