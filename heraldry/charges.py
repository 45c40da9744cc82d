"""The charges: silhouettes of the sprite, with the words a blazon uses for one and for several."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Charge:
    key: str
    symbol: str
    one: str  # with its article
    many: str
    scale: float = 1.0  # slender charges may stand a little taller


# fmt: off
CHARGES = (
    Charge("mouse",      "c-mouse",      "a mouse statant",          "mice statant",            1.08),
    Charge("mouse_head", "c-mouse-head", "a mouse’s head caboshed",  "mice’s heads caboshed"),
    Charge("cat",        "c-cat",        "a cat’s head caboshed",    "cats’ heads caboshed"),
    Charge("tortoise",   "c-tortoise",   "a tortoise",               "tortoises"),
    Charge("tiger",      "c-tiger",      "a tiger’s face",           "tigers’ faces"),
    Charge("ibis",       "c-ibis",       "an ibis",                  "ibises"),
    Charge("lizard",     "c-komodo",     "a lizard",                 "lizards",                 1.12),
    Charge("antelope",   "c-antelope",   "an antelope’s face",       "antelopes’ faces"),
    Charge("mammoth",    "c-mammoth",    "a mammoth",                "mammoths"),
    Charge("hopper",     "c-hoppers",    "a hopper",                 "hoppers",                 1.12),
    Charge("acorn",      "c-acorn",      "an acorn",                 "acorns"),
    Charge("thorn",      "c-thorn",      "a sprig of thorn",         "sprigs of thorn",         1.10),
    Charge("wheat",      "c-wheat",      "an ear of wheat",          "ears of wheat",           1.22),
    Charge("apple",      "c-windfall",   "an apple",                 "apples"),
    Charge("mushroom",   "c-mushroom",   "a mushroom",               "mushrooms"),
    Charge("rose",       "c-rose",       "a rose",                   "roses"),
    Charge("cheese",     "c-cheese",     "a cheese",                 "cheeses"),
    Charge("bell",       "c-bell",       "a bell",                   "bells"),
    Charge("key",        "c-key",        "a key",                    "keys",                    1.22),
    Charge("sword",      "c-sword",      "a sword",                  "swords",                  1.38),
    Charge("crown",      "c-crown",      "a crown",                  "crowns"),
    Charge("castle",     "c-castle",     "a castle",                 "castles"),
    Charge("candle",     "c-candle",     "a candle",                 "candles",                 1.06),
    Charge("book",       "c-book",       "an open book",             "open books"),
    Charge("hand",       "c-hand",       "a hand",                   "hands"),
    Charge("sun",        "c-sun",        "a sun",                    "suns",                    1.06),
    Charge("crescent",   "c-crescent",   "a crescent",               "crescents"),
    Charge("mullet",     "c-mullet",     "a mullet",                 "mullets"),
)
# fmt: on
CHARGE = {row.key: row for row in CHARGES}
