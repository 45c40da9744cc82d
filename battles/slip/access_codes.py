"""The ways to a battle's report without a log-in: the slip's QR, its three words, and the link for other phones at the table."""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac

from battles.models import KEEP, REPORT, Battle, Slip
from battles.standing import settled
from people import passes
from people.limits import Limit, Rate
from people.models import Pass
from people.who import Who
from refusal import Refusal

WORDS = 3
TRIES = 5
CODES = Limit("battle_codes", "wrong codes", target=Rate(100, 10), browser=Rate(20, 10), address=Rate(300, 10))
NEW = Limit("new_battles", "new battles", target=Rate(100, 60), browser=Rate(30, 60), address=Rate(300, 60))


def register() -> None:
    passes.register(REPORT, "Slip of a battle", ask=_ask_report, page=_open_report, holds=True)
    passes.register(KEEP, "A battle at the table", ask=_ask_keep, on_accept=_kept, holds=True)


# --- three words -----------------------------------------------------------------------------------------------------


@cache
def word_list() -> tuple[str, ...]:
    return tuple((Path(__file__).parent / "words.txt").read_text().split())


def words_of(row: Pass) -> tuple[str, ...]:
    """Made again from the pass's seed and the site's secret, like its token; empty if the secret has changed since."""
    if not row.token:
        return ()
    words = word_list()
    drawn = int.from_bytes(salted_hmac("battles.words", row.seed, algorithm="sha256").digest()[:8])
    found = []
    for _ in range(WORDS):
        drawn, at = divmod(drawn, len(words))
        found.append(words[at])
    return tuple(found)


def hash_of(words: tuple[str, ...]) -> str:
    """Keyed: three words are few enough to try them all against a plain hash."""
    return salted_hmac("battles.words.hash", "-".join(words), algorithm="sha256").hexdigest()


def read_words(typed: str) -> tuple[str, ...]:
    """The three words out of what was typed, or a sentence that says which one is none of ours."""
    words = tuple(re.findall(r"[a-z]+", typed.casefold()))
    if len(words) != WORDS:
        raise Refusal("The code has three words, as printed on the slip.", field="code")
    for word in words:
        if word not in word_list():
            close = difflib.get_close_matches(word, word_list(), 1, 0.75)
            hint = f" Is it “{close[0]}”?" if close else ""
            raise Refusal(f"“{word[:30]}” is no word of these codes.{hint}", field="code")
    return words


# --- slips -----------------------------------------------------------------------------------------------------------


def slip_of(battle: Battle, who: Who) -> Slip:
    """The battle's slip; made when it is first asked for. Its link stands until the battle is confirmed."""
    found = Slip.objects.filter(battle=battle).select_related("link").first()
    if found is not None and passes.state_of(found.link) == "open" and found.link.token:
        return found
    if found is not None:
        found.delete()
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                link = passes.make(REPORT, battle.pk, by=who, lasts=None, uses=None)
                return Slip.objects.create(battle=battle, link=link, words_hash=hash_of(words_of(link)))
        except IntegrityError:
            if again := Slip.objects.filter(battle=battle).select_related("link").first():
                return again  # somebody else printed it at the same moment
    raise Refusal("No code could be made. Try once more.", status=409)


def renew(battle: Battle) -> None:
    """The slip got lost, or into wrong paws: its link and its words die."""
    passes.revoke_all(REPORT, battle.pk)
    Slip.objects.filter(battle=battle).delete()


def open_by_words(request: HttpRequest, typed: str) -> Battle:
    """The battle whose slip shows these words; this browser then holds its pass. Wrong words count as a guess."""
    words = read_words(typed)
    with CODES.attempt(request) as attempt:
        slip = Slip.objects.filter(words_hash=hash_of(words)).select_related("link", "battle").first()
        if slip is None or passes.state_of(slip.link) != "open":
            attempt.failed()
            slip = None
    if slip is None:
        raise Refusal("No open battle has this code. Compare it with the slip once more.", status=404, field="code")
    _still_open(slip.battle)
    passes.hold(request, slip.link)
    return slip.battle


# --- what the links ask ----------------------------------------------------------------------------------------------


def _battle(row: Pass) -> Battle | None:
    return Battle.objects.filter(pk=row.target).first()


def _still_open(battle: Battle) -> None:
    if battle.stage == Battle.Stage.CONFIRMED:
        raise Refusal("This battle is confirmed and stands written. Its slip opens nothing any more.", status=410)
    if battle.stage == Battle.Stage.CALLED_OFF:
        raise Refusal("This battle was called off. Its slip opens nothing any more.", status=410)


def _ask_report(row: Pass, who: Who) -> passes.Ask | None:
    return passes.Ask("Report how the battle ended.", "Go to the report") if _battle(row) else None


def _open_report(request: HttpRequest, row: Pass) -> HttpResponse:
    """The link opens the form itself. This browser keeps the pass; nothing is written by opening it."""
    battle = _battle(row)
    if battle is None:
        raise passes.gone(None)
    _still_open(settled(battle))
    passes.answered(request, row)
    passes.hold(request, row)
    return redirect("battles:report", battle.code)


def _ask_keep(row: Pass, who: Who) -> passes.Ask | None:
    battle = _battle(row)
    if battle is None:
        return None
    names = " against ".join(side["name"] or "a kingdom" for side in battle.sides)
    return passes.Ask(
        f"A battle at the table: {names}.", "Come to the table", "This phone can then follow it and write in it."
    )


def _kept(row: Pass, request: HttpRequest) -> str:
    battle = Battle.objects.get(pk=row.target)
    return reverse("battles:page", args=[battle.code])
