"""A quick army: no campaign, no account, nothing stored. Its URL is its code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from django.http import QueryDict
from django.urls import reverse

from chance import Dice, new_seed
from dataclass_json import Clean, Count, Says, Text, Whole
from musters.core.army_code import MAX_WORDS, DecodedArmy, DiceSource, code_of, decode_army
from musters.core.auto_roll import play_quick_muster
from musters.core.seed_word_list import MAX_WORD_LENGTH, clean_word, draw_words
from musters.display import Roster, build_roster
from pages.api.operations import read_parameters
from rulebook.data.muster_table import REBEL_PRICE, MusterCall
from rulebook.muster.army import Siege

LOYALTY_CHOICES = range(-3, 4)
MAX_LOYALTY = 20
MAX_REBELS = 8


def _sort_houses(houses: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(houses)))


Word = Annotated[str, Clean(clean_word), Text("The word", MAX_WORD_LENGTH)]
House = Annotated[int, Whole("The number of the house", 1, 4)]


@dataclass(frozen=True, slots=True)
class QuickCall:
    """Which army is called: what a quick army and one with your own dice have in common."""

    loyalty: Annotated[int, Whole("The loyalty", -MAX_LOYALTY, MAX_LOYALTY)] = 0
    lost: Annotated[tuple[House, ...], Clean(_sort_houses), Count("Houses", 4), "houses whose fealty is lost"] = ()
    siege: Annotated[Siege | None, Says("Choose attacker, defender or no siege.")] = None
    rebels: Annotated[int, Whole("The number of rebel rolls", 0, MAX_REBELS)] = 0

    @property
    def rebel_rolls(self) -> int:
        return self.rebels if self.siege == "attacker" else 0

    @property
    def call(self) -> MusterCall:
        return MusterCall(self.loyalty, self.lost, self.siege, self.rebel_rolls * REBEL_PRICE)


@dataclass(frozen=True, slots=True)
class QuickArmyRequest(QuickCall):
    words: Annotated[tuple[Word, ...], Count("Words", MAX_WORDS)] = ()

    @classmethod
    def from_form(cls, data: QueryDict) -> QuickArmyRequest:
        """Its words are in one field, separated by commas."""
        given = data.copy()
        given.setlist("words", data.get("words", "").split(","))
        return read_parameters(cls, given)

    def code(self) -> str:
        """The army's code; draws words if none were given."""
        words = self.words or draw_words(Dice(new_seed()))
        return code_of(play_quick_muster(self.call, words, self.rebel_rolls), DiceSource(words))


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
