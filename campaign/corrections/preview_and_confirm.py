"""Previews before something is written: of a correction, with who is asked, and of a far-reaching act."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import get_args

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from campaign import selectors, services
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec, consent
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.corrections import Choice, CorrectionPreview, StateChange, diff_states
from campaign.chronicle.entries_and_fold import AMEND, RESTORE, ChronicleEntry
from campaign.chronicle.sentences import describe_changes, describe_entry
from campaign.chronicle.state import State, get_term
from campaign.display import effect_rows, entry_rows, names_for
from campaign.models import Campaign
from campaign.permissions import ids_of, is_master
from campaign.wars.forms import ReasonForm
from log import services as log_services
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from text import join_list

# Prefix of the fields that say what happens to later entries.
CHOICE_PREFIX = "choice-"


def preview_or_confirm(
    request: HttpRequest,
    code: str,
    kind: str,
    number: int,
    body: dict[str, object] | None = None,
    carried: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Show what a correction changes, or write it once confirmed. ``carried``: answers of the form before.

    Striking entry 5, on which entry 7 depends: the first request draws the preview with its digest and the choice
    ``choice-7``; "Preview these choices" sends ``choice-7=strike`` and draws it again; "Strike the entry" sends
    ``confirm``, the choices and the digest, and leads to the entry written, or to the approval it needs.
    """
    campaign = selectors.get_visible_campaign(request.who, code)
    choices = _read_choices(request.POST)
    preview = services.preview_correction(selectors.entries_of(campaign), kind, number, body, choices)
    error, status = "", 200
    if request.POST.get("confirm"):
        try:
            return _submit(request, campaign, kind, number, body, choices)
        except Refusal as refusal:
            if refusal.status not in (409, 422):
                raise
            error, status = refusal.sentence, refusal.status
    why = ReasonForm(initial={"key": new_key(), "why": request.POST.get("why", "")})
    why.fields["why"].required = kind != RESTORE
    state = selectors.state_of(campaign)
    context = {"campaign": campaign, "kind": kind, "number": number, "preview": preview, "error": error, "why": why}
    context["carried"] = carried
    context |= _describe_preview(request, campaign, state, preview)
    context |= _who_confirms(request, campaign, state, preview)
    return render(request, "campaign/corrections/preview.html", context, status=status)


def _read_choices(data: QueryDict) -> dict[int, Choice]:
    """What happens to later entries, by their numbers."""
    return {
        number: value
        for name, value in data.items()
        if name.startswith(CHOICE_PREFIX) and value in get_args(Choice)
        if (number := parse_int(name.removeprefix(CHOICE_PREFIX))) is not None
    }


def _submit(
    request: HttpRequest,
    campaign: Campaign,
    kind: str,
    number: int,
    body: dict[str, object] | None,
    choices: dict[int, Choice],
) -> HttpResponse:
    data = request.POST
    done = approvals_services.submit_correction(
        campaign,
        request.who,
        key=data.get("key", ""),
        kind=kind,
        target=number,
        why=data.get("why", "").strip(),
        digest=data.get("digest", ""),
        body=body,
        choices=choices,
    )
    return redirect(approvals_services.address_of(campaign, done))


def _who_confirms(
    request: HttpRequest, campaign: Campaign, state: State, preview: CorrectionPreview
) -> dict[str, object]:
    """Whether the viewer can confirm it, and who has to approve it."""
    if request.who.person is None:
        return {"may": False, "asked": ""}
    mine = ids_of(request.who)
    if is_master(state, request.who):
        own = consent.find_own_side(state, preview.touches, mine)
        return {"may": True, "asked": "", "own": state.kingdoms[own].name if own else ""}
    if get_term(state.terms, "correct") != "touched":
        return {"may": False, "asked": ""}
    asked = [
        state.kingdoms[key].acting
        for key in consent.filter_reachable(state, preview.touches)
        if not consent.can_speak_for(state, key, mine)
    ]
    names = names_for(campaign, state)
    return {"may": True, "asked": join_list([names.person(person) for person in asked]) or "the game master"}


def _describe_preview(
    request: HttpRequest, campaign: Campaign, state: State, preview: CorrectionPreview
) -> dict[str, object]:
    """The preview in words: the entry, later entries it affects, and what changes."""
    names = names_for(campaign, state)
    numbers = [preview.target, *(flag.number for flag in preview.flags)]
    by_number = {row.number: row for row in entry_rows(campaign, request.who, names, numbers=numbers)}
    entry = by_number.get(preview.target)
    reads = ""
    if preview.kind == AMEND and entry:
        amended = preview.bundle["amend"][str(preview.target)]
        reads = describe_entry(ChronicleEntry(entry.number, entry.act, amended["body"], amended["effects"], ""), names)
    flags = [
        {
            "flag": flag,
            "entry": by_number[flag.number],
            "recomputed": effect_rows(flag.recomputed, names) if flag.recomputed is not None else (),
            "name": f"{CHOICE_PREFIX}{flag.number}",
        }
        for flag in preview.flags
    ]
    return {"reads": reads, "entry": entry, "flags": flags, "changes": describe_changes(preview.changes, names)}


# --- A far-reaching act: what changes and how to undo it -----------------------------------------------------


# Fields that the preview page adds to the form.
_OURS = ("csrfmiddlewaretoken", "confirm", "seen")


@dataclass(frozen=True, slots=True)
class PreviewTexts:
    heading: str
    lead: str
    undo: str  # how to undo it, or that it cannot be undone
    button: str
    back: str  # where "Cancel" leads


def was_already_sent(request: HttpRequest, campaign: Campaign) -> bool:
    """Whether this form was already processed (a second tap)."""
    key = request.POST.get("key", "")
    return bool(key) and log_services.find_answer(campaign.log_id, who=request.who.ref, key=key) is not None


def preview_act(
    request: HttpRequest, campaign: Campaign, state: State, act: Act, words: PreviewTexts
) -> HttpResponse | None:
    """The preview page; nothing once the same preview was confirmed."""
    if was_already_sent(request, campaign):
        return None
    after = services.state_after(act, state)
    changes = diff_states(state, after)
    seen = _digest(act, changes)
    if request.POST.get("confirm") and request.POST.get("seen") == seen:
        return None
    names = names_for(campaign, after)
    carried = [(name, value) for name, values in request.POST.lists() if name not in _OURS for value in values]
    context = {
        "campaign": campaign,
        "words": words,
        "changes": describe_changes(changes, names),
        "carried": carried,
        "seen": seen,
        "moved": bool(request.POST.get("confirm")),
    }
    return render(
        request, "campaign/act_confirmation/confirmation_page.html", context, status=409 if context["moved"] else 200
    )


def _digest(act: Act, changes: Sequence[StateChange]) -> str:
    content = [act.key, codec.write_sent(act), [astuple(change) for change in changes]]
    return sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
