"""The pages of musters: start page, armies by their code, quick armies, the wizard, random games."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chance import Dice, new_seed
from live.shared_parts import add_etag, not_modified_response
from log.services import new_key
from musters import home_items as musters_home_items, permissions, sealed_dice, services, vp_payments
from musters.army_comparison import ComparedArmies, Setting, compare_battle, compare_codes
from musters.chronicle_acts import require_open_battle
from musters.core.army_code import MAX_CODE_LENGTH, DiceSource, code_of
from musters.core.auto_roll import MAX_WORD_LENGTH, dice_from_words, draw_words, play_muster
from musters.core.battlefield_svg import draw_table, standalone_table_svg, table_svg as terrain_svg
from musters.core.fair_terrain import FAIRNESS_NOTE
from musters.kingdom_history import history_display, list_heroes
from musters.models import Muster
from musters.quick_army import (
    LOYALTY_CHOICES,
    MAX_REBELS,
    AnswerOwnDice,
    QuickArmyRequest,
    army_url,
    army_with_roster,
    finished_code,
    own_dice_display,
    query_after_answer,
)
from musters.random_game import MAX_NAME_LENGTH, NO_EVENTS, ONE, TWO, GameRequest, draw_game_word, generate_game
from musters.wizard_display import DICE_SENTENCES, wizard_display
from pages.api.operations import read_parameters
from pages.fields.forms import QueryForm
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from refusal import Refusal
from rulebook.battle.modifiers import LONG_RANGE_OVER
from rulebook.data.battlefield import EVENTS
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIOS


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Quick army, your open musters, army by code."""
    return render_start_page(request)


@require_safe
def by_code(request: HttpRequest) -> HttpResponse:
    """Find a typed code; a refusal keeps the text in the field."""
    typed = request.GET.get("code", "").strip()
    if not typed:
        return redirect(f"{reverse('musters:index')}#by-code")
    try:
        recipe, _ = army_with_roster(typed)
    except Refusal as refusal:
        return render_start_page(request, refusal, typed)
    return redirect(army_url(recipe.code))


@require_safe
def army(request: HttpRequest, code: str) -> HttpResponse:
    try:
        recipe, roster = army_with_roster(code)
    except Refusal as refusal:
        refusal.status = 404
        return render_start_page(request, refusal, code)
    if code != recipe.code:
        return redirect(army_url(recipe.code))
    context = {
        "roster": roster,
        "words": recipe.source.words,
        "call": recipe.muster.call,
        "steps": recipe.muster.steps,
        "share_url": guest_url(army_url(recipe.code)),
    }
    return render(request, "musters/army.html", context)


# ── The start page, also drawn with what was refused ─────────────────────────────────────────────────────


def render_start_page(request: HttpRequest, refusal: Refusal | None = None, typed: str = "") -> HttpResponse:
    sides = musters_home_items.open_sides(request.who) if request.who.is_known else []
    mine = [side for side in sides if side.mine]
    waiting = [side for side in mine if not side.is_mustered]
    context = {
        "mine": waiting + [side for side in mine if side.is_mustered],
        "waits": bool(waiting),
        "others": [side for side in sides if not side.mine],
        "loyalties": LOYALTY_CHOICES,
        "rebels": range(MAX_REBELS + 1),
        "refusal": refusal,
        "typed": typed,
    }
    return render(request, "musters/start_page.html", context, status=refusal.status if refusal else 200)


# ── Quick armies ─────────────────────────────────────────────────────────────────────────────────────────


@require_POST
def quick_army(request: HttpRequest) -> HttpResponse:
    """Roll a quick army, or continue with your own dice. Nothing is stored: its URL is its code."""
    if request.POST.get("own"):
        # By a redirect, so that the address holds the answers and not the form's token.
        asked = {name: request.POST[name] for name in ("loyalty", "siege", "rebels") if request.POST.get(name)}
        lost = [("lost", house) for house in request.POST.getlist("lost")]
        return redirect(f"{reverse('musters:own_dice')}?{urlencode([*asked.items(), *lost])}")
    try:
        return redirect(army_url(QuickArmyRequest.from_form(request.POST).code()))
    except Refusal as refusal:
        return render_start_page(request, refusal)


@require_safe
def own_dice(request: HttpRequest) -> HttpResponse:
    """A quick army with your own dice. Each answer is a new URL, so the back button undoes it."""
    try:
        display = own_dice_display(read_parameters(AnswerOwnDice, request.GET))
    except Refusal as refusal:
        return render_start_page(request, refusal)
    refusal = None
    if value := request.GET.get("v", ""):
        try:
            return redirect(f"{reverse('musters:own_dice')}?{query_after_answer(display, value)}")
        except Refusal as refused:
            refusal = refused
    if display.question is None:
        return redirect(army_url(finished_code(display)))
    context = {"wizard": display, "refusal": refusal}
    return render(request, "musters/quick_army/own_dice.html", context, status=422 if refusal else 200)


# ── The past musters of a kingdom ────────────────────────────────────────────────────────────────────────


@require_safe
def history(request: HttpRequest, campaign: str, kingdom: str) -> HttpResponse:
    seen = permissions.get_campaign(request.who, campaign)
    display = history_display(seen, kingdom, request.who)
    rows = [(house, list_heroes(house.heroes)) for house in display.houses]
    context = {"campaign": seen, "history": display, "rows": rows, "king": list_heroes(display.king_heroes)}
    return render(request, "musters/kingdom_history/history.html", context)


# ── The muster wizard ────────────────────────────────────────────────────────────────────────────────────


DONE = "done"  # how the token of a finished muster begins
NO_ANIMATION_COOKIE = "dice_still"


@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, campaign: str, battle: int, kingdom: str) -> HttpResponse:
    """The start page of a muster; redirects if the muster exists."""
    seen = permissions.get_campaign(request.who, campaign)
    if request.method == "POST":
        return redirect(services.begin_muster(request.who, seen, battle, kingdom))
    if before := permissions.find_muster(seen, battle, kingdom):
        return redirect(before)
    state = permissions.state_of(seen)
    fought, this_kingdom = require_open_battle(state, battle, kingdom)
    other = state.kingdoms[fought.opponent_of(this_kingdom.id)]
    mode = str(state.terms.get("dice") or "typed")
    context = {
        "campaign": seen,
        "battle": fought,
        "place": state.place_name(fought.target),
        "kingdom": this_kingdom,
        "other": other,
        "call": services.current_call(state, fought, this_kingdom),
        "dice": mode,
        "dice_sentence": DICE_SENTENCES.get(mode, ""),
        "sealed_explanation": sealed_dice.EXPLANATION,
        "can_act": permissions.can_act_for(state, this_kingdom.id, request.who),
    }
    return render(request, "musters/wizard/begin.html", context)


@require_safe
def muster(request: HttpRequest, code: str) -> HttpResponse:
    return _page(request, permissions.get_muster(request.who, code))


@require_safe
def muster_part(request: HttpRequest, code: str) -> HttpResponse:
    """Only the changing part of the page, for live updates."""
    shown = permissions.get_muster(request.who, code)
    if answer := not_modified_response(request, shown.log.version, shown.campaign.log.version):
        return answer
    return add_etag(request, render(request, "musters/wizard/_wizard.html", _context(request, shown)))


def _page(request: HttpRequest, shown: Muster, refusal: Refusal | None = None) -> HttpResponse:
    context = _context(request, shown) | {"refusal": refusal}
    return render(request, "musters/wizard/muster.html", context, status=refusal.status if refusal else 200)


def _context(request: HttpRequest, shown: Muster) -> dict[str, object]:
    state = permissions.state_of(shown.campaign)
    permissions.require_viewer(state, shown, request.who)
    display = wizard_display(shown, request.who, state)
    context: dict[str, object] = {
        "wizard": display,
        "key": new_key(),
        "no_animation": request.COOKIES.get(NO_ANIMATION_COOKIE) == "1",
        "sealed_explanation": sealed_dice.EXPLANATION,
    }
    if display.roster:
        context |= {
            "roster": display.roster,
            "share_url": guest_url(reverse("musters:army", args=[display.roster.code])),
        }
    return context


def _act(request: HttpRequest, code: str, act: Callable[[Muster], object]) -> HttpResponse:
    """Do one act. A refusal shows above the open question."""
    shown = permissions.get_muster(request.who, code)
    try:
        act(shown)
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        return _page(request, permissions.get_again(shown), refusal)
    return redirect(f"{shown.get_absolute_url()}#now")


def _roll_or_choose(request: HttpRequest, code: str, act: Callable[[Muster], services.Receipt]) -> HttpResponse:
    """Do one act of the muster. The army that is finished by it counts at once."""

    def act_and_finish(shown: Muster) -> None:
        if act(shown).get("question", request.POST.get("question", "")).startswith(DONE):
            vp_payments.finish_if_settled(shown, request.who, key=f"{request.POST.get('key', '')[:70]}-army")

    return _act(request, code, act_and_finish)


@require_POST
def answer(request: HttpRequest, code: str) -> HttpResponse:
    data = request.POST
    given = data.get("value", "")
    if given in vp_payments.PAID_CHOICES:
        return _roll_or_choose(
            request, code, lambda shown: vp_payments.buy_choice(shown, request.who, **_form(request), value=given)
        )
    return _roll_or_choose(
        request, code, lambda shown: services.submit_answer(shown, request.who, **_form(request), value=_value(given))
    )


@require_POST
def reroll(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST.get("value", "")
    return _roll_or_choose(
        request,
        code,
        lambda shown: vp_payments.buy_reroll(shown, request.who, **_form(request), roll=_die(given) if given else None),
    )


@require_POST
def keep_roll(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST.get("value", "")
    return _roll_or_choose(
        request, code, lambda shown: services.keep_roll(shown, request.who, **_form(request), value=_die(given))
    )


@require_POST
def undo(request: HttpRequest, code: str) -> HttpResponse:
    """Undo the last answer; of an army that counts already, the last die that somebody typed."""
    return _act(request, code, lambda shown: vp_payments.undo(shown, request.who, **_form(request)))


@require_POST
def accept_changes(request: HttpRequest, code: str) -> HttpResponse:
    anew = request.POST.get("go") == "anew"
    return _act(
        request, code, lambda shown: services.accept_changes(shown, request.who, key=_form(request)["key"], anew=anew)
    )


@require_POST
def give_word(request: HttpRequest, code: str) -> HttpResponse:
    data = request.POST
    if data.get("absent"):
        return _act(request, code, lambda shown: sealed_dice.draw_word_for_absent(shown, request.who))
    return _act(request, code, lambda shown: sealed_dice.give_word(shown, request.who, data.get("word", "")))


@require_POST
def finish(request: HttpRequest, code: str) -> HttpResponse:
    return _act(request, code, lambda shown: vp_payments.finish_muster(shown, request.who, key=_form(request)["key"]))


@require_POST
def toggle_dice_animation(request: HttpRequest) -> HttpResponse:
    """Turn the dice animation on or off for this browser."""
    to = request.POST.get("to", "/musters/")
    response = redirect(to if to.startswith("/musters/") and "\\" not in to else "/musters/")
    response.set_cookie(
        NO_ANIMATION_COOKIE,
        "" if request.COOKIES.get(NO_ANIMATION_COOKIE) == "1" else "1",
        max_age=60 * 60 * 24 * 365,
        samesite="Lax",
    )
    return response


def _form(request: HttpRequest) -> dict[str, str]:
    return {"key": request.POST.get("key", ""), "question": request.POST.get("question", "")}


def _value(given: str) -> int | str | None:
    """A die, the key of a choice, or None: then the site rolls."""
    return _die(given) if given.strip().lstrip("+-").isdigit() else given or None


def _die(typed: str) -> int:
    """The typed number; the rulebook checks its range."""
    if (number := parse_int(typed, signed=True)) is None:
        raise Refusal("Enter a number from 1 to 10.", field="value")
    return number


# ── Random games: the URL holds everything ───────────────────────────────────────────────────────────────


@require_safe
def random_game(request: HttpRequest) -> HttpResponse:
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
    game = generate_game(read_parameters(GameRequest, request.GET))
    file = HttpResponse(standalone_table_svg(game.scenario, game.layout, game.tokens), content_type="image/svg+xml")
    # Download only: our content policy forbids its inline styles.
    file["Content-Disposition"] = f'attachment; filename="{game.scenario.key}.svg"'
    return file


def _name_field(label: str, placeholder: str) -> forms.CharField:
    widget = forms.TextInput({"placeholder": placeholder})
    return forms.CharField(max_length=MAX_NAME_LENGTH, required=False, label=label, widget=widget)


class RandomGameForm(forms.Form):
    """Only draws the fields; ``GameRequest`` says what is accepted."""

    scenario = forms.ChoiceField(
        choices=[
            ("", "Roll for it"),
            *((row.key, f"{row.roll}. {row.name}" if row.roll else row.name) for row in SCENARIOS),
        ],
        required=False,
    )
    event = forms.ChoiceField(
        choices=[("", "Roll each round"), (NO_EVENTS, "No events"), *((row.key, row.name) for row in EVENTS)],
        required=False,
        label="Events",
    )
    one, two = _name_field("First army", ONE), _name_field("Second army", TWO)
    word = forms.CharField(
        required=False,
        max_length=MAX_WORD_LENGTH,
        help_text="Any word. The same word gives the same game. Leave it empty to draw one.",
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )


# ── Two armies compared, by code or of a battle ──────────────────────────────────────────────────────────


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Compare two armies; without both codes, show the form."""
    given = request.GET.dict()
    form = CompareForm(with_default_situation(given))
    if not (given.get("a") or given.get("b")) or not given.keys() >= {"a", "b"}:
        return render(request, "musters/compare/compare.html", {"form": form})
    display, refusal = None, None
    try:
        if form.is_valid():
            display = compare_codes(read_parameters(ComparedArmies, request.GET), form.setting)
    except Refusal as error:
        refusal = error
    status = 200 if display else refusal.status if refusal else 422
    context = {"form": form, "comparison": display, "refusal": refusal}
    if display:
        context["situation_tabs"] = situation_tabs(given, display.setting)
    return render(request, "musters/compare/compare.html", context, status=status)


@require_safe
def compare_battle_armies(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    seen = permissions.get_campaign(request.who, campaign)
    form = SettingForm(with_default_situation(request.GET.dict()))
    setting = form.setting if form.is_valid() else Setting()
    display = compare_battle(request.who, seen, battle, setting)
    context = {
        "campaign": seen,
        "battle": battle,
        "form": form,
        "comparison": display,
        "situation_tabs": situation_tabs({}, setting),
        "setting_form": "musters/compare/_setting_form.html",
    }
    return render(request, "musters/compare/compare_battle.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
def compare_new_armies(request: HttpRequest) -> HttpResponse:
    """Roll two armies at loyalty 0 and compare them."""
    dice = Dice(new_seed())
    return redirect(f"{reverse('musters:compare')}?{urlencode({'a': _new_code(dice), 'b': _new_code(dice)})}")


def _new_code(dice: Dice) -> str:
    words = draw_words(dice)
    return code_of(play_muster(MusterCall(0), dice_from_words(words).d10), DiceSource(words))


CODE_ATTRS = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}


class SettingForm(QueryForm[Setting]):
    """The situation. Without ``kind`` it is a charge in the open."""

    kind = forms.ChoiceField(
        choices=[("melee", "Melee"), ("shooting", "Shooting")], widget=forms.RadioSelect, label="Attack"
    )

    @property
    def setting(self) -> Setting:
        return replace(self.sent, flanked=self.sent.flanked and self.sent.kind == "melee")


# Common situations, each one tap away.
COMMON_SITUATIONS: tuple[tuple[str, dict[str, str]], ...] = (
    ("Charge", {"kind": "melee", "charged": "on"}),
    ("Melee", {"kind": "melee"}),
    ("Shooting", {"kind": "shooting", "inches": "6"}),
    ("Long range", {"kind": "shooting", "inches": f"{LONG_RANGE_OVER + 1}"}),
)


def _code_field() -> forms.CharField:
    return forms.CharField(
        max_length=MAX_CODE_LENGTH, required=False, label="Army code", widget=forms.TextInput(CODE_ATTRS)
    )


class CompareForm(SettingForm):
    a, b = _code_field(), _code_field()
    one, two = _name_field("Name", ONE), _name_field("Name", TWO)


def with_default_situation(given: dict[str, object]) -> dict[str, object]:
    """Add the first common situation if none is given."""
    return given if given.get("kind") else {**given, **COMMON_SITUATIONS[0][1]}


def situation_tabs(given: Mapping[str, str], chosen: Setting) -> list[tuple[str, str, bool]]:
    """Tabs for the common situations: label, query, whether it is shown."""
    armies = {name: given[name] for name in ("a", "b", "one", "two") if given.get(name)}
    tabs = []
    for label, query in COMMON_SITUATIONS:
        form = SettingForm(query)
        form.full_clean()
        tabs.append((label, urlencode({**armies, **query}), form.setting == chosen))
    return tabs
