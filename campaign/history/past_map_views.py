"""The war atlas: any past map, with or without later corrections. Read-only."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import selectors as campaign_selectors
from campaign.chronicle.corrections import diff_states
from campaign.chronicle.sentences import Names
from campaign.corrections.change_texts import change_text
from campaign.display import entry_rows, kingdom_rows, names_for
from campaign.map.display import build_map_display
from campaign.map.svg import draw_map_with_key
from campaign.map_outlines.address import lands_address
from campaign.models import Campaign
from pages.number_parsing import parse_int


@require_safe
def past_map(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    length = campaign.log.length
    at, since = _entry_number(request, "at", length) or length, _entry_number(request, "since", length)
    known = request.GET.get("as") == "known"
    state = campaign_selectors.state_as_known(campaign, at) if known else campaign_selectors.state_at(campaign, at)
    members = campaign.members.select_related("person__merged_into")
    names = names_for(campaign, state, members)
    kingdom = build_map_display(state, seed=campaign.code, title=f"Map of {campaign.name} after entry {at}")
    rows = entry_rows(campaign, request.who, names, numbers=[at])
    context = {
        "campaign": campaign,
        "at": at,
        "length": length,
        "share": round(100 * (at - 1) / (length - 1)) if length > 1 else 100,
        "known": known,
        "map": kingdom,
        "drawing": draw_map_with_key(kingdom, lands=lands_address(kingdom)) if kingdom.kingdoms else "",
        "kingdoms": kingdom_rows(state, names, set()) if state.kingdoms else (),
        "entry": rows[0] if rows else None,
        "since": since,
        "changes": _changes_since(campaign, since, names) if since else (),
    }
    return render(request, "campaign/history/past_map.html", context)


def _entry_number(request: HttpRequest, name: str, length: int) -> int:
    """The entry's number from the address, or 0."""
    number = parse_int(request.GET.get(name, ""))
    return 0 if number is None else min(max(number, 1), length)


def _changes_since(campaign: Campaign, since: int, names: Names) -> list[tuple[str, str, str]]:
    """What changed since an entry, by later entries or by corrections."""
    was, now = campaign_selectors.state_as_known(campaign, since), campaign_selectors.state_of(campaign)
    names_now = Names(now, names.people)
    return [row for change in diff_states(was, now) if (row := change_text(change, names_now))]
