"""Pages of the standings: a group, and one person in it."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from gamenights.recap.display import Edition
from gamenights.standings import services
from gamenights.standings.counts import ALL_TIME, get_span_if_visible
from gamenights.standings.display import MAX_SHOWN, build_links, build_person, build_standings
from gamenights.standings.selectors import read_choice, read_person_summary, read_summary
from groups.selectors import get_group_as_host, get_visible_group
from pages.fields.forms import DataclassForm
from people.requester import Who


def _my_ids(who: Who) -> set[int]:
    return set(who.person.all_ids()) if who.person else set()


@require_safe
def standings(request: HttpRequest, code: str) -> HttpResponse:
    span, is_host = get_span_if_visible(request.who, code)
    group = span.group
    seasons = list(group.seasons.all())
    choice = read_choice(group, request.GET, seasons)
    me = _my_ids(request.who)
    summary = read_summary(span, choice.period, choice.slot, most=MAX_SHOWN, always={str(pk) for pk in me})
    context = {
        "group": group,
        "choice": choice,
        "seasons": seasons,
        "display": build_standings(summary, me),
        "links": build_links(summary, choice),
        "gazette": Edition(group, choice.season).key,
        "is_host": is_host,
    }
    return render(request, "gamenights/standings/standings.html", context)


@require_safe
def person_page(request: HttpRequest, code: str, person: int) -> HttpResponse:
    group = get_visible_group(request.who, code)
    seasons = list(group.seasons.all())
    choice = read_choice(group, request.GET, seasons)
    summary = read_person_summary(group, str(person), choice.period)
    if not summary.plays and not read_person_summary(group, str(person), ALL_TIME).plays:
        raise Http404
    context = {
        "group": group,
        "choice": choice,
        "seasons": seasons,
        "display": build_person(summary, _my_ids(request.who)),
    }
    return render(request, "gamenights/standings/person.html", context)


class SeasonForm(DataclassForm[services.StartSeason]):
    """A season to start."""


@require_http_methods(["GET", "POST"])
def start_season(request: HttpRequest, code: str) -> HttpResponse:
    group = get_group_as_host(request.who, code)
    form = SeasonForm(request.POST)
    if form.submit(request, partial(services.start_season, group, request.who)):
        return redirect("gamenights:standings", code)
    context = {"group": group, "form": form}
    return render(request, "gamenights/standings/season.html", context, status=422 if form.is_bound else 200)
