"""Words that the site draws, for quick armies or absent players. Their order is part of the army code."""

from __future__ import annotations

from chance import Dice, normalise_word
from refusal import Refusal

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
