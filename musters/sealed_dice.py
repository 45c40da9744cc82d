"""Sealed dice: a word of each captain, held until both are in; then all dice of both musters follow from them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from campaign.annals.state import State
from chance import Dice, fresh_seed
from log import door
from musters import may
from musters.models import Muster, SealedWord
from musters.rolls.code import recipe_of
from musters.rolls.course import Throw, next_throw
from musters.rolls.words import counted_word, drawn_words
from people.who import Who
from refusal import Refusal
from rulebook.muster import Muster as Mustering

WHAT_IT_MEANS = (
    "Each captain gives a word; nobody sees one before both are in. All dice follow from the two, so neither captain can "
    "steer them, and anyone can check them later with the army code."
)


@dataclass(frozen=True, slots=True)
class Seal:
    """The words of one battle as one side may see them: whose are in, and both once they are."""

    mine: SealedWord | None
    theirs: SealedWord | None
    words: tuple[str, ...]  # the attacker's, then the defender's; empty until both are in
    side: str

    @property
    def is_whole(self) -> bool:
        return bool(self.words)

    @property
    def said(self) -> str:
        """The words in a sentence, a drawn one marked; nothing before both are in."""
        if not (self.mine and self.theirs):
            return ""
        mine, theirs = _marked(self.mine), _marked(self.theirs)
        first, second = (mine, theirs) if self.side == "attacker" else (theirs, mine)
        return f"The attacker's word is {first}, the defender's {second}."


def _marked(row: SealedWord) -> str:
    return f"“{row.word}”" + (" (drawn by the service)" if row.drawn else "")


def seal_of(muster: Muster, state: State | None = None) -> Seal:
    mine, theirs = _words(muster)
    side = _side(muster, state)
    words: tuple[str, ...] = ()
    if mine and theirs:
        words = (mine.word, theirs.word) if side == "attacker" else (theirs.word, mine.word)
    return Seal(mine, theirs, words, side)


def _words(muster: Muster) -> tuple[SealedWord | None, SealedWord | None]:
    """This side's word and the other's: as they came with the muster, else asked for."""
    if hasattr(muster, "word_of_ours"):
        came = (muster.word_of_ours, muster.word_of_theirs)
        ours, theirs = [SealedWord(**word) if word else None for word in came]
        return ours, theirs
    rows = {row.kingdom: row for row in SealedWord.objects.filter(campaign=muster.campaign_id, battle=muster.battle)}
    ours = rows.pop(muster.kingdom, None)
    return ours, next(iter(rows.values()), None)


def _side(muster: Muster, state: State | None) -> str:
    """Which of the two streams is this side's. It decides the order of the words; a written army carries it in its code."""
    if muster.army_code:
        return recipe_of(muster.army_code).source.side
    battle = (state or may.state_of(muster.campaign)).battles.get(muster.battle)
    if battle is None:
        raise Refusal(f"Battle {muster.battle} is not open any more.", status=409)
    return "attacker" if battle.attacker == muster.kingdom else "defender"


def throw(muster: Muster, now: Mustering) -> Throw:
    seal = seal_of(muster)
    if not seal.is_whole:
        raise Refusal("The dice are sealed until both captains have given their word.", status=409)
    return next_throw(seal.words, seal.side, now)


def give(muster: Muster, who: Who, typed: str) -> SealedWord:
    """A captain's word. Given once; a second tap with the same word is the same word."""
    state = may.state_of(muster.campaign)
    may.act(state, muster, who)
    _in_time(muster, state)
    return _write(muster, muster.kingdom, counted_word(typed), drawn=False)


def draw_for_absent(muster: Muster, who: Who) -> SealedWord:
    """The other captain is away: the service draws their word, and it is marked so."""
    state = may.state_of(muster.campaign)
    may.act(state, muster, who)
    _in_time(muster, state)
    battle = state.battles[muster.battle]
    other = battle.defender if battle.attacker == muster.kingdom else battle.attacker
    if not SealedWord.objects.filter(
        campaign=muster.campaign_id, battle=muster.battle, kingdom=muster.kingdom
    ).exists():
        raise Refusal("Give your own word first.", status=409, field="word")
    return _write(muster, other, drawn_words(Dice(fresh_seed()), 1)[0], drawn=True)


def _in_time(muster: Muster, state: State) -> None:
    if muster.dice != Muster.Dice.SEALED:
        raise Refusal("The dice of this muster are not sealed; no word is needed.", status=409)
    if muster.entry is not None or muster.battle not in state.battles:
        raise Refusal(f"Battle {muster.battle} takes no more words.", status=409)


def _write(muster: Muster, kingdom: str, word: str, *, drawn: bool) -> SealedWord:
    with transaction.atomic():
        row, made = SealedWord.objects.get_or_create(
            campaign_id=muster.campaign_id,
            battle=muster.battle,
            kingdom=kingdom,
            defaults={"word": word, "drawn": drawn},
        )
        if made:
            _tell(muster)
    if not made and not drawn and row.word != word:
        by = "was drawn by the service while you were away" if row.drawn else "is in already"
        raise Refusal(f"Your word {by}. It stands, or one could try for better dice.", status=409)
    return row


def _tell(muster: Muster) -> None:
    """Both captains' pages hear that a word is in."""
    musters = Muster.objects.filter(campaign=muster.campaign_id, battle=muster.battle)
    door.stir(*musters.values_list("log", flat=True))
