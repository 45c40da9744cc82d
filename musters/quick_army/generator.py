"""A quick army for anybody: no campaign, no account, nothing stored. Its code is its address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from chance import Dice, fresh_seed
from musters.rolls.code import Recipe, Source, code_of, recipe_of
from musters.rolls.course import quick
from musters.rolls.words import counted_word, drawn_words
from musters.sheet import Roster, roster
from pages.numbers import whole
from refusal import Refusal
from rulebook.army import Siege
from rulebook.muster_table import REBEL_PRICE, Call

LOYALTIES = range(-3, 4)
LOYALTY_MOST = 20
REBELS_MOST = 8


@dataclass(frozen=True, slots=True)
class QuickCall:
    """What a quick army may be asked for."""

    loyalty: int = 0
    lost: tuple[int, ...] = ()
    siege: Siege | None = None
    rebels: int = 0
    words: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Any) -> QuickCall:
        """From a form or a JSON body; what cannot be read is refused with a sentence."""
        siege = data.get("siege") or None
        if siege not in (None, "attacker", "defender"):
            raise Refusal("The side in the siege is attacker or defender, or there is none.", field="siege")
        lost = data.getlist("lost") if hasattr(data, "getlist") else data.get("lost") or ()
        rebels = _number(data.get("rebels") or 0, "number of rebel rolls", 0, REBELS_MOST, "rebels")
        typed = data.get("words") or ""
        given = typed if isinstance(typed, (list, tuple)) else [part for part in str(typed).split(",") if part.strip()]
        if len(given) > 4:
            raise Refusal("An army follows from four words at the most.", field="words")
        return cls(
            _number(data.get("loyalty") or 0, "loyalty", -LOYALTY_MOST, LOYALTY_MOST, "loyalty"),
            tuple(sorted({_number(one, "number of the house", 1, 4, "lost") for one in lost})),
            siege,
            rebels if siege == "attacker" else 0,
            tuple([counted_word(str(word)) for word in given]),
        )

    def code(self) -> str:
        """The army's code; without words of one's own the service draws some."""
        words = self.words or drawn_words(Dice(fresh_seed()))
        call = Call(self.loyalty, self.lost, self.siege, self.rebels * REBEL_PRICE)
        return code_of(quick(call, words, self.rebels), Source(words))


def _number(value: object, what: str, least: int, most: int, field: str) -> int:
    number = None if isinstance(value, bool) else whole(str(value).replace("−", "-"), signed=True)
    if number is None:
        raise Refusal(f"The {what} must be a whole number, {least} to {most}.", field=field)
    if not least <= number <= most:
        raise Refusal(f"The {what} is {number}; it can be {least} to {most}.", field=field)
    return number


def army_sheet(typed: str) -> tuple[Recipe, Roster]:
    """The army of a code with its roster: the same on every installation."""
    recipe = recipe_of(typed)
    words = recipe.source.words
    said = f"All dice follow from {'the word' if len(words) == 1 else 'the words'} {', '.join(words)}." if words else "Dice as they fell at the table."  # fmt: skip
    return recipe, roster(recipe.army, options=recipe.muster.call.options, dice_from=said, code=recipe.code)


def address(code: str) -> str:
    return reverse("musters:army", args=[code])
