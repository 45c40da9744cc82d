"""Random game pages. The URL holds everything; no database access."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chance import Dice, new_seed
from musters.random_game.forms import RandomGameForm
from musters.random_game.generator import GameRequest, draw_game_word, generate_game
from musters.terrain import FAIRNESS_NOTE, draw_table, standalone_table_svg
from musters.terrain import table_svg as terrain_svg
from pages.api.operations import read_parameters
from pages.site_address_for_guests import guest_url
from refusal import Refusal


@require_safe
def random_game(request: HttpRequest) -> HttpResponse:
    """Show the game in the query, or the start page."""
    if not request.GET:
        return render(request, "musters/random_game/start.html", {"form": RandomGameForm()})
    if not request.GET.get("word", "").strip():
        return new_random_game(request)
    try:
        game = generate_game(read_parameters(GameRequest, request.GET))
    except Refusal as refusal:
        context = {"form": RandomGameForm(request.GET), "refusal": refusal}
        return render(request, "musters/random_game/start.html", context, status=refusal.status)
    context = {
        "game": game,
        "scenario": game.scenario,
        "ground": terrain_svg(game.scenario, game.layout, game.tokens),
        "legend": draw_table(game.scenario, game.layout).legend,
        "fair": FAIRNESS_NOTE,
        "form": RandomGameForm(request.GET),
        "share": guest_url(f"{request.path}?{game.request.address()}"),
    }
    return render(request, "musters/random_game/game.html", context)


@never_cache
@require_safe
def new_random_game(request: HttpRequest) -> HttpResponse:
    """Draw a word and show its game, keeping the choices."""
    asked = read_parameters(GameRequest, request.GET)
    drawn = replace(asked, word=draw_game_word(Dice(new_seed())), ground=1, round=0)
    return redirect(f"{reverse('musters:random_game')}?{drawn.address()}")


@require_safe
def download_table(request: HttpRequest) -> HttpResponse:
    """The table as an SVG file."""
    game = generate_game(read_parameters(GameRequest, request.GET))
    file = HttpResponse(standalone_table_svg(game.scenario, game.layout, game.tokens), content_type="image/svg+xml")
    # Download only: our content policy forbids its inline styles.
    file["Content-Disposition"] = f'attachment; filename="{game.scenario.key}.svg"'
    return file
