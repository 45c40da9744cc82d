"""The war atlas: any past map, as corrected since or as known then. In a past view nothing can be done."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import reading
from campaign.annals.corrections import differences
from campaign.annals.tales import Names
from campaign.changes import change_words
from campaign.map.sheet import map_sheet
from campaign.map.svg import drawing
from campaign.models import Campaign
from campaign.sheet import kingdom_rows, ledger, names_for
from campaign.views import visible
from pages.numbers import whole


@require_safe
def atlas(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    length = campaign.log.length
    at, since = _number(request, "at", length) or length, _number(request, "since", length)
    known = request.GET.get("as") == "known"
    state = reading.state_as_known(campaign, at) if known else reading.state_at(campaign, at)
    members = campaign.members.select_related("person__merged_into")
    names = names_for(campaign, state, members)
    realm = map_sheet(state, seed=campaign.code, title=f"Map of {campaign.name} after entry {at}")
    lines = ledger(campaign, request.who, names, numbers=[at])
    context = {
        "campaign": campaign,
        "at": at,
        "length": length,
        "share": round(100 * (at - 1) / (length - 1)) if length > 1 else 100,
        "known": known,
        "map": realm,
        "drawing": drawing(realm) if realm.crowns else "",
        "kingdoms": kingdom_rows(state, names, set()) if state.kingdoms else (),
        "line": lines[0] if lines else None,
        "since": since,
        "changes": _changed(campaign, since, names) if since else (),
    }
    return render(request, "campaign/atlas.html", context)


def _number(request: HttpRequest, name: str, length: int) -> int:
    """An entry's number out of the address, or 0."""
    number = whole(request.GET.get(name, ""))
    return 0 if number is None else min(max(number, 1), length)


def _changed(campaign: Campaign, since: int, names: Names) -> list[tuple[str, str, str]]:
    """What is otherwise today than it was known after an entry: by what happened, and by what was corrected."""
    was, now = reading.state_as_known(campaign, since), reading.state_of(campaign)
    told = Names(now, names.people)
    return [row for change in differences(was, now) if (row := change_words(change, told))]
