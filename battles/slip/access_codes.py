"""Ways to a battle's report without logging in: the slip's QR code, its three words, and the link for other phones."""

import difflib
import re
from functools import cache
from pathlib import Path

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac

from battles.models import EDIT_PASS, REPORT_PASS, Battle, Slip
from battles.permissions import permissions_of, require_permission
from battles.selectors import get_visible_battle
from campaign.chronicle.state import State
from people.models import Pass
from people.passes import services as passes_services
from people.rate_limits import Limit, Rate
from people.requester import Who
from refusal import Refusal

WORD_COUNT = 3
MAX_TRIES = 5
CODE_LIMIT = Limit("battle_codes", "wrong codes", target=Rate(100, 10), browser=Rate(20, 10), address=Rate(300, 10))
NEW_BATTLE_LIMIT = Limit(
    "new_battles", "new battles", target=Rate(100, 60), browser=Rate(30, 60), address=Rate(300, 60)
)


def register() -> None:
    passes_services.register_kind(
        REPORT_PASS,
        "Battle slip",
        prompt=_ask_report,
        page=_open_report,
        accept_filled=_hold_slip,
        belongs_to="game",
        holds=True,
        scope="play",
    )
    passes_services.register_kind(
        EDIT_PASS,
        "Battle link",
        prompt=_ask_keep,
        on_accept=_go_to_battle,
        belongs_to="game",
        holds=True,
        scope="play",
    )


# --- three words -----------------------------------------------------------------------------------------------------


@cache
def word_list() -> tuple[str, ...]:
    return tuple((Path(__file__).parent / "words.txt").read_text().split())


def words_of(row: Pass) -> tuple[str, ...]:
    """Derived from the pass's seed and the site's secret, like its token; empty if the secret has changed."""
    if not row.token:
        return ()
    words = word_list()
    drawn = int.from_bytes(salted_hmac("battles.words", row.seed, algorithm="sha256").digest()[:8])
    chosen = []
    for _ in range(WORD_COUNT):
        drawn, at = divmod(drawn, len(words))
        chosen.append(words[at])
    return tuple(chosen)


def hash_words(words: tuple[str, ...]) -> str:
    """Keyed: three words are few enough to try them all against a plain hash."""
    return salted_hmac("battles.words.hash", "-".join(words), algorithm="sha256").hexdigest()


def parse_words(typed: str) -> tuple[str, ...]:
    """The three words typed, or a refusal that names the wrong one."""
    words = tuple(re.findall(r"[a-z]+", typed.casefold()))
    if len(words) != WORD_COUNT:
        raise Refusal("Enter the three words printed on the slip.", field="code")
    for word in words:
        if word not in word_list():
            close = difflib.get_close_matches(word, word_list(), 1, 0.75)
            hint = f" Did you mean “{close[0]}”?" if close else ""
            raise Refusal(f"“{word[:30]}” is not one of the code words.{hint}", field="code")
    return words


# --- slips -----------------------------------------------------------------------------------------------------------


def find_slip(battle: Battle) -> Slip | None:
    """The battle's slip, if its code works. Pages only read: the slip is made with the battle, or anew by a button."""
    slip = Slip.objects.filter(battle=battle).select_related("link").first()
    works = slip is not None and passes_services.state_of(slip.link) == "open" and slip.link.token
    return slip if works else None


def get_or_create_slip(battle: Battle, who: Who | None) -> Slip:
    """The battle's slip. Its link works until the battle is confirmed."""
    if slip := find_slip(battle):
        return slip
    Slip.objects.filter(battle=battle).delete()
    for _ in range(MAX_TRIES):
        try:
            with transaction.atomic():
                link = passes_services.create_pass(REPORT_PASS, battle.pk, by=who, lasts=None, uses=None)
                return Slip.objects.create(battle=battle, link=link, words_hash=hash_words(words_of(link)))
        except IntegrityError:
            if again := Slip.objects.filter(battle=battle).select_related("link").first():
                return again  # somebody else printed it at the same moment
    raise Refusal("Could not create a code. Try again.", status=409)


def renew_slip(battle: Battle, who: Who | None) -> Slip:
    """A new code. The link and the words of the lost slip stop working."""
    passes_services.revoke_passes_to(REPORT_PASS, battle.pk)
    return get_or_create_slip(battle, who)


def open_by_words(request: HttpRequest, typed: str) -> Battle:
    """The battle whose slip has these words; this browser then holds its pass. Wrong words count as a guess."""
    words = parse_words(typed)
    with CODE_LIMIT.attempt(request) as attempt:
        slip = Slip.objects.filter(words_hash=hash_words(words)).select_related("link", "battle").first()
        if slip is None or passes_services.state_of(slip.link) != "open":
            attempt.fail()
            slip = None
    if slip is None:
        raise Refusal("No open battle has this code. Check it against the slip.", status=404, field="code")
    _require_open(slip.battle)
    passes_services.hold_pass(request, slip.link)
    return slip.battle


# --- opening links ----------------------------------------------------------------------------------------------


def _find_battle(row: Pass) -> Battle | None:
    return Battle.objects.filter(pk=row.target).first()


def _require_open(battle: Battle) -> None:
    if battle.stage == Battle.Stage.CONFIRMED:
        raise Refusal("This battle is already confirmed. Its slip no longer works.", status=410)
    if battle.stage == Battle.Stage.CALLED_OFF:
        raise Refusal("This battle was called off. Its slip no longer works.", status=410)


def _ask_report(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    return passes_services.PassPrompt("Report how the battle ended.", "Go to the report") if _find_battle(row) else None


def _open_report(request: HttpRequest, row: Pass) -> HttpResponse:
    """The link opens the form itself, and this browser keeps the pass. Opening it writes nothing."""
    return redirect(_hold_slip(request, row, {}))


def _hold_slip(request: HttpRequest, row: Pass, filled: passes_services.Filled) -> str:
    battle = _find_battle(row)
    if battle is None:
        raise passes_services.dead_pass_refusal(None)
    _require_open(battle)
    passes_services.close_offer(request, row)
    passes_services.hold_pass(request, row)
    return reverse("battles:report", args=[battle.code])


def _ask_keep(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    battle = _find_battle(row)
    if battle is None:
        return None
    names = " against ".join(side["name"] or "a kingdom" for side in battle.sides)
    return passes_services.PassPrompt(f"Battle: {names}.", "Join the battle", "This phone can then follow and edit it.")


def _go_to_battle(row: Pass, request: HttpRequest) -> str:
    battle = Battle.objects.get(pk=row.target)
    return reverse("battles:page", args=[battle.code])


# ── Who may have the code ───────────────────────────────────────────────────────────────────────────────────


def get_battle_and_state_to_print(who: Who, code: str) -> tuple[Battle, State | None]:
    """Whoever reads the code can report, so only those who may report can print it."""
    battle, state = get_visible_battle(who, code)
    require_permission(permissions_of(battle, who, state).report, battle)
    if battle.is_over:
        raise Refusal("This battle is over and does not need a slip.", status=409)
    return battle, state


def get_battle_to_print(who: Who, code: str) -> Battle:
    return get_battle_and_state_to_print(who, code)[0]


def get_battle_to_renew(who: Who, code: str) -> Battle:
    """Not by the slip itself: whoever found a lost one could lock the players out."""
    battle, state = get_visible_battle(who, code)
    permissions = permissions_of(battle, who, state)
    require_permission(permissions.report and not permissions.by_slip, battle)
    return battle
