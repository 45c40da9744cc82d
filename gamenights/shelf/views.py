"""The shelf of a group, and votes on what to play tonight."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from gamenights.nights.selectors import get_visible_night
from gamenights.shelf import game_votes, services
from gamenights.shelf.forms import GameForm
from gamenights.shelf.models import Game
from gamenights.shelf.selectors import list_games
from groups.permissions import is_member, require_member
from groups.selectors import get_visible_group
from log.services import new_key
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal


@require_http_methods(["GET", "POST"])
def shelf(request: HttpRequest, code: str) -> HttpResponse:
    """Every game of the group; members add games."""
    group = get_visible_group(request.who, code)
    form = GameForm(request.POST or None, initial={"key": new_key(), "on_shelf": True})
    if request.method == "POST":
        require_member(group, request.who)
        if form.is_valid() and _save(request, group, form, None):
            return redirect("gamenights:shelf", code)
    context = {"group": group, "games": list_games(group), "form": form, "can_edit": is_member(group, request.who)}
    return render(request, "gamenights/shelf/shelf.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def change_game(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    group = get_visible_group(request.who, code)
    require_member(group, request.who)
    game = get_object_or_404(Game, group=group, pk=pk)
    initial = {name: getattr(game, name) for name in services.FIELDS}
    form = GameForm(request.POST or None, initial={**initial, "key": new_key()})
    if request.method == "POST" and form.is_valid() and _save(request, group, form, game):
        return redirect("gamenights:shelf", code)
    context = {"group": group, "game": game, "form": form}
    return render(request, "gamenights/shelf/game.html", context, status=422 if form.is_bound else 200)


def _save(request: HttpRequest, group, form: GameForm, game: Game | None) -> bool:
    try:
        services.save_game(group, request.who, key=form.cleaned_data["key"], game=game, facts=form.facts())
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        add_refusal_to_form(form, refusal)
        return False
    return True


@require_POST
def vote(request: HttpRequest, code: str) -> HttpResponse:
    night = get_visible_night(request, code)
    game_votes.vote_for_game(night, request.who, key=request.POST.get("key", ""), game=request.POST.get("game", ""))
    return redirect(f"{night.get_absolute_url()}#votes")
