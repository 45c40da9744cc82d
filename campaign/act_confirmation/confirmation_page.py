"""Preview of a far-reaching act before it is written: what changes and how to undo it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.chronicle import codec
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.corrections import StateChange, diff_states
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.state import State
from campaign.corrections.change_texts import change_text
from campaign.display import names_for
from campaign.models import Campaign
from log import services as log_services

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
    after = state.copy()
    apply_effects(after, codec.check_limits(act).decide(state, state.rules()))
    changes = diff_states(state, after)
    seen = _digest(act, changes)
    if request.POST.get("confirm") and request.POST.get("seen") == seen:
        return None
    names = names_for(campaign, after, campaign.members.select_related("person__merged_into"))
    carried = [(name, one) for name in request.POST if name not in _OURS for one in request.POST.getlist(name)]
    context = {
        "campaign": campaign,
        "words": words,
        "changes": [row for change in changes if (row := change_text(change, names))],
        "carried": carried,
        "seen": seen,
        "moved": bool(request.POST.get("confirm")),
    }
    return render(
        request, "campaign/act_confirmation/confirmation_page.html", context, status=409 if context["moved"] else 200
    )


def _digest(act: Act, changes: tuple[StateChange, ...]) -> str:
    content = [
        act.key,
        codec.write_sent(act),
        [(change.what, change.subject, change.was, change.now) for change in changes],
    ]
    return sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
