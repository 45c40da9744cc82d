"""Home, how it works, past evenings, and the picture of a finished card game."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from art.link_preview import WIDTH, Words, draw_leaf, draw_symbol
from campaign.display import live_part_of
from campaign.selectors import own_campaigns
from cardgames.games import SHELF
from cardgames.models import Table
from cardgames.selectors import get_visible_table
from cardgames.tables.display import build_table_display
from cardgames.tables.finale_display import FinaleDisplay, build_finale
from cardgames.tables.forms import JoinForm
from cardgames.tables.load_from_log import load_running_table
from gamenights.nights.selectors import upcoming_nights
from groups.models import Group
from heraldry import draw_arms_at
from home.selectors import list_evenings, list_home_items
from live.shared_parts import render_once
from log.services import new_key
from pages.home_items import tonight_items
from people.accounts.services import has_no_owner
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Your move. Strangers see the welcome page, and the first visitor becomes the owner."""
    if not request.who.is_known:
        if has_no_owner():
            return redirect("people:first_owner")
        return render(request, "home/welcome.html", {"form": JoinForm(who=request.who)})
    campaigns = own_campaigns(request.who).campaigns[:6]
    context = {
        "items": list_home_items(request),
        "campaigns": campaigns,
        "live": live_part_of(campaigns),
        "games": SHELF.values(),
        "form": JoinForm(who=request.who),
        "key": new_key(),
    }
    return render(request, "home/home.html", context)


@require_safe
def how_it_goes(request: HttpRequest) -> HttpResponse:
    return render(request, "home/how_it_goes.html")


@prepared_query
def _known_groups(who: Who) -> QuerySet[Group]:
    return Group.objects.known_to(who)


@require_safe
def past_evenings(request: HttpRequest) -> HttpResponse:
    """Games by evening, and what is on tonight."""
    evenings = list_evenings(request.who)  # first: it asks for more of what others ask for too
    context = {
        "tonight": tonight_items(request),
        "evenings": evenings,
        "nights": upcoming_nights(request.who),
        "groups": _known_groups(request.who),
    }
    return render(request, "home/past_evenings.html", context)


# ── A finished card game as a 1200 by 630 picture for chats ──────────────────────────────────────────────


@require_safe
def table_picture(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    if table.state != Table.State.OVER:
        raise Refusal("The picture appears when the game is over.", status=409)

    def draw() -> HttpResponse:
        # As a stranger sees the table: the picture is sent to others.
        display = build_table_display(table, Who())
        finale = build_finale(load_running_table(table), display)
        under = f"{display.game.title}, {table.ended_at:%-d %B %Y}" if table.ended_at else display.game.title
        return HttpResponse(draw_finale(finale, under), content_type="image/png")

    return render_once(request, draw, table.log.version, content_type="image/png")


def draw_finale(finale: FinaleDisplay, under: str) -> bytes:
    drawing, words = "", []
    column = (WIDTH - 120) / len(finale.seats)
    for place, seat in enumerate(finale.seats):
        x = 60 + column * (place + 0.5)
        if seat.arms:
            drawing += draw_arms_at(seat.arms, x - 60, 250, 120)
        else:
            drawing += draw_symbol("c-mouse-head", x, 260, 110, "ink-2")
        if seat.won:
            drawing += draw_symbol("c-crown", x, 196, 44, "rubric")
        ink = "rubric" if seat.won else "ink"
        points = str(seat.points) if finale.has_points else ""
        words += [
            Words(seat.name, x, 430, 32, column - 16, ink, "middle", bold=True),
            Words(seat.role_name, x, 464, 22, column - 16, "ink-2", "middle"),
            Words(points, x, 520, 52, column - 16, ink, "middle", bold=True),
        ]
    decisive = next((text for text, is_decisive in finale.reasons if is_decisive), "")
    words.append(Words(decisive, WIDTH / 2, 574, 22, WIDTH - 360, "ink-2", "middle"))
    return draw_leaf(finale.headline, under, drawing, words, title_ink="rubric")
