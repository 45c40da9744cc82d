"""The shelf of a group, and votes on what to play tonight."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from gamenights.nights.selectors import get_visible_night
from gamenights.shelf import services
from gamenights.shelf.models import Game
from gamenights.shelf.selectors import list_games
from gamenights.shelf.services import SaveGame
from groups.permissions import is_member, require_member
from groups.selectors import get_group_as_member, get_visible_group
from pages.fields.columns_and_rows import take
from pages.fields.forms import DataclassForm


class GameForm(DataclassForm[SaveGame]):
    """A game to add to the shelf, or to change."""


@require_http_methods(["GET", "POST"])
def shelf(request: HttpRequest, code: str) -> HttpResponse:
    """Every game of the group; members add games."""
    group = get_visible_group(request.who, code)
    form = GameForm(request.POST, initial={"on_shelf": True})
    if request.method == "POST":
        require_member(group, request.who)
    if form.submit(request, partial(services.save_game, group, request.who, game=None)):
        return redirect("gamenights:shelf", code)
    context = {"group": group, "games": list_games(group), "form": form, "can_edit": is_member(group, request.who)}
    return render(request, "gamenights/shelf/shelf.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def change_game(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    group = get_group_as_member(request.who, code)
    game = get_object_or_404(Game, group=group, pk=pk)
    form = GameForm(request.POST, now=take(SaveGame, game))
    if form.submit(request, partial(services.save_game, group, request.who, game=game)):
        return redirect("gamenights:shelf", code)
    context = {"group": group, "game": game, "form": form}
    return render(request, "gamenights/shelf/game.html", context, status=422 if form.is_bound else 200)


@require_POST
def vote(request: HttpRequest, code: str) -> HttpResponse:
    night = get_visible_night(request, code)
    services.vote_for_game(night, request.who, key=request.POST.get("key", ""), game=request.POST.get("game", ""))
    return redirect(f"{night.get_absolute_url()}#votes")
