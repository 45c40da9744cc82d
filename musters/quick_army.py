"""A quick army: no campaign, no account, nothing stored. Its URL is its code."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from chance import Dice, new_seed
from dataclass_json import Clean, Count, Says, Text, Whole
from musters.core.army_code import MAX_WORDS, DecodedArmy, DiceSource, code_of, decode_army
from musters.core.auto_roll import MAX_WORD_LENGTH, clean_word, draw_words, play_quick_muster
from musters.display import Roster, build_roster
from musters.wizard_display import QuestionDisplay, RolledStep, Stage, build_question, build_stages, describe_step
from pages.api.operations import read_parameters
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.data.muster_table import REBEL_PRICE, MusterCall
from rulebook.muster.army import HOUSES, Army, Siege
from rulebook.muster.roll_muster import Muster, answer_question, replay_muster

LOYALTY_CHOICES = range(-3, 4)
MAX_LOYALTY = 20
MAX_REBELS = 8


def _sort_houses(houses: tuple[int, ...]) -> tuple[int, ...]:
    """Each once. Too many stay as they are, to be refused."""
    return tuple(sorted(set(houses))) if len(houses) <= len(HOUSES) else houses


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
    def from_form(cls, data: QueryDict) -> "QuickArmyRequest":
        """Its words are in one field, separated by commas."""
        given = data.copy()
        given.setlist("words", data.get("words", "").split(","))
        return read_parameters(cls, given)

    def code(self) -> str:
        """The army's code; draws words if none were given."""
        words = self.words or draw_words(Dice(new_seed()))
        return code_of(play_quick_muster(self.call, words, self.rebel_rolls), DiceSource(words))


def army_with_roster(typed: str) -> tuple[DecodedArmy, Roster]:
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


# ── With your own dice: the URL holds the answers so far ─────────────────────────────────────────────────


MAX_ANSWERS = 200


@dataclass(frozen=True, slots=True)
class AnswerOwnDice(QuickCall):
    a: Annotated[str, "the answers so far, separated by spaces"] = ""


@dataclass(frozen=True, slots=True)
class OwnDiceDisplay:
    call: QuickCall
    answers: tuple[str, ...]
    muster: Muster
    question: QuestionDisplay | None
    stages: tuple[Stage, ...]
    last_steps: tuple[RolledStep, ...]
    so_far: Roster
    fields: tuple[tuple[str, str], ...]  # hidden fields of each form

    @property
    def dice(self) -> str:
        return "typed"

    @property
    def done_count(self) -> int:
        return sum(stage.state not in ("now", "next") for stage in self.stages)

    @property
    def back(self) -> str:
        """The query without the last answer."""
        return self.query(self.answers[:-1])

    def query(self, answers: Iterable[str]) -> str:
        fields = [(name, value) for name, value in self.fields if name != "a"]
        given = " ".join(answers)
        return urlencode([*fields, ("a", given)] if given else fields)


def own_dice_display(asked: AnswerOwnDice) -> OwnDiceDisplay:
    given = tuple(asked.a.split())
    if len(given) > MAX_ANSWERS:
        raise Refusal("This link has more answers than a muster has questions.", status=404)
    muster = replay_muster(asked.call, list(map(_value, given)))
    fields = [("loyalty", str(asked.loyalty)), *(("lost", str(house)) for house in asked.lost)]
    if asked.siege:
        fields += [("siege", asked.siege), ("rebels", str(asked.rebel_rolls))]
    if given:
        fields.append(("a", " ".join(given)))
    last = muster.steps[-1:]
    return OwnDiceDisplay(
        asked,
        given,
        muster,
        build_question(muster, None, [], ""),
        build_stages(muster, None, []),
        tuple([describe_step(step, [], None) for step in last]),
        build_roster(Army(muster.units, asked.loyalty, asked.siege)),
        tuple(fields),
    )


def query_after_answer(display: OwnDiceDisplay, value: str) -> str:
    after = answer_question(display.muster, _value(value))
    return display.query([*display.answers, str(after.answers[-1].value)])


def finished_code(display: OwnDiceDisplay) -> str:
    return code_of(display.muster)


def _value(given: str) -> int | str:
    number = parse_int(given, signed=True)
    return given.strip() if number is None else number
