"""Sealed dice: each player gives a hidden word; all dice of both musters follow from the two words."""

from dataclasses import dataclass

from django.db import transaction

from campaign.chronicle.state import OpenBattle, State
from chance import Dice, new_seed
from log import services as log_services
from musters import permissions
from musters.core.army_code import decode_army
from musters.core.auto_roll import RollDie, clean_word, continue_dice, draw_words
from musters.models import Muster, SealedWord
from people.requester import Who
from refusal import Refusal
from rulebook.muster.roll_muster import Muster as Mustering

EXPLANATION = (
    "Each player enters a word. Both stay hidden until both are in. All dice follow from the two words, "
    "so nobody can influence them, and anyone can check them with the army code."
)


@dataclass(frozen=True, slots=True)
class SealedWords:
    """The words of one battle, seen from one side."""

    mine: SealedWord | None
    theirs: SealedWord | None
    words: tuple[str, ...]  # the attacker's, then the defender's; empty until both are in
    side: str

    @property
    def is_complete(self) -> bool:
        return bool(self.words)

    @property
    def sentence(self) -> str:
        if not (self.mine and self.theirs):
            return ""
        mine, theirs = _quoted(self.mine), _quoted(self.theirs)
        first, second = (mine, theirs) if self.side == "attacker" else (theirs, mine)
        return f"The attacker's word is {first}, the defender's {second}."


def _quoted(row: SealedWord) -> str:
    return f"“{row.word}”" + (" (drawn by the site)" if row.drawn else "")


def sealed_words_of(muster: Muster, state: State | None = None) -> SealedWords:
    mine, theirs = _words(muster)
    side = _side(muster, state)
    words: tuple[str, ...] = ()
    if mine and theirs:
        words = (mine.word, theirs.word) if side == "attacker" else (theirs.word, mine.word)
    return SealedWords(mine, theirs, words, side)


def _words(muster: Muster) -> tuple[SealedWord | None, SealedWord | None]:
    """This side's word and the other's; no query if they came with the muster."""
    if hasattr(muster, "our_word"):
        came = (muster.our_word, muster.their_word)
        ours, theirs = [SealedWord(**word) if word else None for word in came]
        return ours, theirs
    rows = {row.kingdom: row for row in SealedWord.objects.filter(campaign=muster.campaign_id, battle=muster.battle)}
    ours = rows.pop(muster.kingdom, None)
    return ours, next(iter(rows.values()), None)


def _side(muster: Muster, state: State | None) -> str:
    """Attacker or defender; a finished army has it in its code."""
    if muster.army_code:
        return decode_army(muster.army_code).source.side
    battle = (state or permissions.state_of(muster.campaign)).battles.get(muster.battle)
    if battle is None:
        raise Refusal(f"Battle {muster.battle} is closed.", status=409)
    return "attacker" if battle.attacker == muster.kingdom else "defender"


def sealed_die(muster: Muster, now: Mustering) -> RollDie:
    sealed_words = sealed_words_of(muster)
    if not sealed_words.is_complete:
        raise Refusal("The dice are sealed until both players have entered a word.", status=409)
    return continue_dice(sealed_words.words, sealed_words.side, now)


def give_word(muster: Muster, who: Who, typed: str) -> SealedWord:
    """Save a player's word. It can be given once; a double tap changes nothing."""
    _require_open(muster, who)
    return _save_word(muster, muster.kingdom, clean_word(typed), drawn=False)


def draw_word_for_absent(muster: Muster, who: Who) -> SealedWord:
    """Draw a word for the absent player and mark it as drawn."""
    other = _require_open(muster, who).opponent_of(muster.kingdom)
    if not SealedWord.objects.filter(
        campaign=muster.campaign_id, battle=muster.battle, kingdom=muster.kingdom
    ).exists():
        raise Refusal("Enter your own word first.", status=409, field="word")
    return _save_word(muster, other, draw_words(Dice(new_seed()), 1)[0], drawn=True)


def _require_open(muster: Muster, who: Who) -> OpenBattle:
    """The battle, if this person may still give a word for it."""
    state = permissions.state_of(muster.campaign)
    permissions.require_actor(state, muster, who)
    if muster.dice != Muster.Dice.SEALED:
        raise Refusal("This muster does not use sealed dice. You do not need a word.", status=409)
    if muster.entry is not None or muster.battle not in state.battles:
        raise Refusal(f"Sealed words for battle {muster.battle} are closed.", status=409)
    return state.battles[muster.battle]


def _save_word(muster: Muster, kingdom: str, word: str, *, drawn: bool) -> SealedWord:
    with transaction.atomic():
        row, made = SealedWord.objects.get_or_create(
            campaign_id=muster.campaign_id,
            battle=muster.battle,
            kingdom=kingdom,
            defaults={"word": word, "drawn": drawn},
        )
        if made:
            _notify_pages(muster)
    if not made and not drawn and row.word != word:
        by = "was drawn by the site while you were away" if row.drawn else "is already in"
        raise Refusal(f"Your word {by}. You cannot change it.", status=409)
    return row


def _notify_pages(muster: Muster) -> None:
    musters = Muster.objects.filter(campaign=muster.campaign_id, battle=muster.battle)
    log_services.bump_versions(*musters.values_list("log", flat=True))
