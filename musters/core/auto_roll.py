"""Rolling a muster automatically: which dice one tap rolls, and when it stops for a choice."""

from collections.abc import Callable, Sequence

from chance import Dice, normalise_word, seal_words
from refusal import Refusal
from rulebook.data.muster_table import MusterCall
from rulebook.muster.army import Army
from rulebook.muster.questions import MusterAnswer, Question
from rulebook.muster.roll_muster import Muster, answer_question, muster_army, run_muster as run

RollDie = Callable[[], int]


def dice_from_words(words: Sequence[str], side: str = "") -> Dice:
    """The dice that follow from these words; each side of a battle has its own."""
    return Dice(seal_words(words)).child(side or "army")


def count_dice(muster: Muster) -> int:
    """Dice rolled so far, including re-rolls."""
    return sum(len(given.thrown) for given in muster.answers)


def continue_dice(words: Sequence[str], side: str, muster: Muster) -> RollDie:
    """Continue the sealed dice where this muster stopped."""
    dice = dice_from_words(words, side)
    dice.d10s(count_dice(muster))
    return dice.d10


def roll_until_choice(muster: Muster, throw: RollDie) -> Muster:
    """Roll the next die and all dice of the same unit that need no choice."""
    slot = muster.question.slot if muster.question else None
    while muster.question is not None and muster.question.die and muster.question.slot == slot:
        muster = answer_question(muster, throw())
        if _is_reroll_worth_offering(muster):
            break
    return muster


def _is_reroll_worth_offering(muster: Muster) -> bool:
    """Whether to offer a re-roll before the next die. Not if the last one brought a hero."""
    if not muster.can_reroll:
        return False
    last = muster.steps[-1]
    if last.kind != "hero_chance":
        return True
    question = muster.question
    return question is None or question.kind != "hero"


def roll_army(call: MusterCall, words: Sequence[str], side: str = "", rebels: int = 0) -> Army:
    throw = dice_from_words(words, side).d10
    return muster_army(call, throw, _buy_rebels(rebels) if rebels else None)


def play_muster(call: MusterCall, throw: RollDie, choose: Callable[[Question], str | None] | None = None) -> Muster:
    """Play a muster question by question; where ``choose`` gives None the default counts."""

    def give(question: Question) -> MusterAnswer:
        if question.die:
            face = throw()
            return MusterAnswer(face, (face,))
        return MusterAnswer((choose(question) if choose else None) or str(question.default))

    return run(call, give)


def _buy_rebels(rebels: int) -> Callable[[Question], str]:
    def choose(question: Question) -> str:
        if question.kind == "rebel" and question.slot.number <= rebels:
            return "buy"
        return question.default or ""

    return choose


def play_quick_muster(call: MusterCall, words: Sequence[str], rebels: int = 0) -> Muster:
    return play_muster(call, dice_from_words(words).d10, _buy_rebels(rebels))


# ── Words that the site draws; their order is part of the army code ──────────────────────────────────────


MAX_WORD_LENGTH = 40
QUICK_ARMY_WORDS = 3  # 16 million combinations

# Never change, sort or shorten this list, or old codes give other armies.
_LIST = """
acorn adder alder amber anchor anvil apple arrow ash aspen attic autumn badger bakery balsam barley
barn barrel basil basket beacon bean beech beetle bell berry birch biscuit bishop blanket blossom bonnet
bottle boulder bow bramble brandy brass bread brewer briar bridge bronze brook broom bucket bugle burdock
butter button cabbage cabin candle canter canvas carrot castle cedar cellar chalk cheese cherry chestnut chimney
cinder cider clay cloak clover cobble cockle comb copper copse coral cork corner cotton cowslip cradle
cranny cricket crocus crown crumb crust cup curtain daisy dandelion dapple dawn dewdrop ditch dogwood door
dragonfly drum dusk dust eagle ember falcon feather fennel fern ferret fiddle field finch flagon flask
flint flour flute fog forge fountain fox foxglove frost furrow garden garlic garnet gate ginger glade
glove goblet goose gorse grain granary grape grass gravel hammer hamper harbor harvest hawk hawthorn hazel
hearth heath hedge helmet hemlock heron hill hinge hive holly honey hood hook hornet horseshoe icicle
ivory ivy jam jasmine juniper kettle keyhole kingfisher knapsack ladder lantern larch lark lattice laurel lavender
ledger lemon lichen lilac lily linen lintel loaf locket loom lupin magpie mallow mantle maple marble
march marigold market marsh meadow medlar mill mint mirror mist mitten moat mole moon moss moth
mushroom mustard needle nettle newt nightingale nutmeg oak oar oat onion orchard otter oven owl paddle
parsley parsnip path pear pebble pepper pewter pheasant pickle pigeon pillar pine plum pocket pond poppy
porridge pumpkin quill quilt rabbit radish raven reed ribbon river robin rosemary saddle saffron thistle walnut
"""
WORDS: tuple[str, ...] = tuple(_LIST.split())
NUMBER: dict[str, int] = {word: number for number, word in enumerate(WORDS)}


def draw_words(dice: Dice, count: int = QUICK_ARMY_WORDS) -> tuple[str, ...]:
    return tuple([dice.choice(WORDS) for _ in range(count)])


def clean_word(typed: str) -> str:
    """A player's word in its normal form, or a refusal."""
    word = normalise_word(typed)
    if not word:
        raise Refusal("Enter a word. Any word in any alphabet will do.", field="word")
    if len(word) > MAX_WORD_LENGTH:
        raise Refusal(f"The word has {len(word)} characters. The limit is {MAX_WORD_LENGTH}.", field="word")
    if not word.isprintable():
        raise Refusal("The word contains an invisible character. Enter another word.", field="word")
    return word
