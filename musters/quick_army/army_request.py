"""A quick army: no campaign, no account, nothing stored. Its URL is its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from chance import Dice, new_seed
from musters.core.army_code import DecodedArmy, DiceSource, code_of, decode_army
from musters.core.auto_roll import play_quick_muster
from musters.core.seed_word_list import clean_word, draw_words
from musters.display import Roster, build_roster
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.data.muster_table import REBEL_PRICE, MusterCall
from rulebook.muster.army import Siege

LOYALTY_CHOICES = range(-3, 4)
MAX_LOYALTY = 20
MAX_REBELS = 8


@dataclass(frozen=True, slots=True)
class QuickArmyRequest:
    """The options of a quick army."""

    loyalty: int = 0
    lost: tuple[int, ...] = ()
    siege: Siege | None = None
    rebels: int = 0
    words: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Any) -> QuickArmyRequest:
        """Read a form or a JSON body, or refuse."""
        siege = data.get("siege") or None
        if siege not in (None, "attacker", "defender"):
            raise Refusal("Choose attacker, defender or no siege.", field="siege")
        lost = data.getlist("lost") if hasattr(data, "getlist") else data.get("lost") or ()
        rebels = _number(data.get("rebels") or 0, "number of rebel rolls", 0, MAX_REBELS, "rebels")
        typed = data.get("words") or ""
        given = typed if isinstance(typed, (list, tuple)) else [part for part in str(typed).split(",") if part.strip()]
        if len(given) > 4:
            raise Refusal("Enter at most four words.", field="words")
        return cls(
            _number(data.get("loyalty") or 0, "loyalty", -MAX_LOYALTY, MAX_LOYALTY, "loyalty"),
            tuple(sorted({_number(one, "number of the house", 1, 4, "lost") for one in lost})),
            siege,
            rebels if siege == "attacker" else 0,
            tuple([clean_word(str(word)) for word in given]),
        )

    def code(self) -> str:
        """The army's code; draws words if none were given."""
        words = self.words or draw_words(Dice(new_seed()))
        call = MusterCall(self.loyalty, self.lost, self.siege, self.rebels * REBEL_PRICE)
        return code_of(play_quick_muster(call, words, self.rebels), DiceSource(words))


def _number(value: object, what: str, least: int, most: int, field: str) -> int:
    number = None if isinstance(value, bool) else parse_int(str(value).replace("−", "-"), signed=True)
    if number is None:
        raise Refusal(f"The {what} must be a whole number, {least} to {most}.", field=field)
    if not least <= number <= most:
        raise Refusal(f"The {what} is {number}. Enter {least} to {most}.", field=field)
    return number


def army_with_roster(typed: str) -> tuple[DecodedArmy, Roster]:
    """The army of a code with its roster."""
    recipe = decode_army(typed)
    words = recipe.source.words
    sentence = (
        f"All dice come from the word{'' if len(words) == 1 else 's'} {', '.join(words)}."
        if words
        else "Rolled with real dice."
    )
    return recipe, build_roster(recipe.army, options=recipe.muster.call.options, dice_from=sentence, code=recipe.code)


def army_url(code: str) -> str:
    return reverse("musters:army", args=[code])
