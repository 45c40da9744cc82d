"""The rulebook to read: chapters, search, scenarios with their ground, odds. No database access."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from musters.core.battlefield_svg import draw_table, table_svg as terrain_svg
from reference import odds_calculator
from reference.chapters import chapter_by_key, chapters
from reference.search import MAX_QUERY, query_words, search
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO, SCENARIOS


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All chapters; with ?q= the rows in which these words occur."""
    query = request.GET.get("q", "").replace("\x00", "").strip()[:MAX_QUERY]
    context = {"chapters": chapters(), "query": query, "hits": search(query), "searched": bool(query_words(query))}
    return render(request, "reference/index.html", context)


@require_safe
def chapter(request: HttpRequest, key: str) -> HttpResponse:
    try:
        here = chapter_by_key()[key]
    except KeyError:
        raise Http404("The rulebook has no such chapter.") from None
    every = chapters()
    at = every.index(here)
    context = {
        "chapter": here,
        "chapters": every,
        "before": every[at - 1] if at else None,
        "after": every[at + 1] if at + 1 < len(every) else None,
    }
    if key == "muster":
        context["loyalties"], context["loyalty_rows"], context["loyalty_sums"] = odds_calculator.loyalty_table()
    if key == "siege":
        context["ground"] = terrain_svg(SCENARIO["siege"], label="The castle")
    return render(request, "reference/chapter.html", context)


@require_safe
def scenario(request: HttpRequest, key: str) -> HttpResponse:
    if key not in SCENARIO:
        raise Http404("The rulebook has no such scenario.")
    here = SCENARIO[key]
    at = SCENARIOS.index(here)
    context = {
        "scenario": here,
        "ground": terrain_svg(here),
        "legend": draw_table(here).legend,
        "before": SCENARIOS[at - 1] if at else None,
        "after": SCENARIOS[at + 1] if at + 1 < len(SCENARIOS) else None,
    }
    return render(request, "reference/scenario.html", context)


@require_safe
def odds_page(request: HttpRequest) -> HttpResponse:
    """The odds of the situation in a form; without one, of an example."""
    asked = request.GET if request.GET.get("kind") else odds_calculator.EXAMPLE
    form = odds_calculator.OddsForm(asked)
    sheet, refusal = None, None
    if form.is_valid():
        try:
            sheet = odds_calculator.calculate_odds(form.sent.situation)
        except Refusal as error:
            refusal = error
    context = {"form": form, "sheet": sheet, "refusal": refusal, "example": asked is odds_calculator.EXAMPLE}
    status = 422 if refusal or form.errors else 200
    return render(request, "reference/odds.html", context, status=status)
