"""A weighty act is shown before it is written: what changes, and how it could be undone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.annals.acts import act_of
from campaign.annals.corrections import Change, differences
from campaign.annals.effects import apply
from campaign.annals.state import State
from campaign.changes import change_words
from campaign.models import Campaign
from campaign.sheet import names_for
from log import door

# What the page itself adds to the form it carries.
_OURS = ("csrfmiddlewaretoken", "confirm", "seen")


@dataclass(frozen=True, slots=True)
class Words:
    heading: str
    lead: str
    undo: str  # how it could be undone, or that it cannot
    button: str
    back: str  # where "leave it as it is" leads


def sent_before(request: HttpRequest, campaign: Campaign) -> bool:
    """Whether this form was answered already: a second tap is not judged again."""
    key = request.POST.get("key", "")
    return bool(key) and door.answered(campaign.log_id, who=request.who.ref, key=key) is not None


def weigh(
    request: HttpRequest, campaign: Campaign, state: State, act: str, body: dict[str, Any], words: Words
) -> HttpResponse | None:
    """The page that shows what an act would change; nothing once it was seen so and confirmed."""
    if sent_before(request, campaign):
        return None
    after = state.copy()
    apply(after, act_of(act).effects(state, body, state.rules()))
    changes = differences(state, after)
    seen = _digest(act, body, changes)
    if request.POST.get("confirm") and request.POST.get("seen") == seen:
        return None
    names = names_for(campaign, after, campaign.members.select_related("person__merged_into"))
    carried = [(name, one) for name in request.POST if name not in _OURS for one in request.POST.getlist(name)]
    context = {
        "campaign": campaign,
        "words": words,
        "changes": [row for change in changes if (row := change_words(change, names))],
        "carried": carried,
        "seen": seen,
        "moved": bool(request.POST.get("confirm")),
    }
    return render(request, "campaign/weigh.html", context, status=409 if context["moved"] else 200)


def _digest(act: str, body: dict[str, Any], changes: tuple[Change, ...]) -> str:
    told = [act, body, [(change.what, change.subject, change.was, change.now) for change in changes]]
    return sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
