"""The card-table engine: rules as generators, zones with visibility, one view per seat, replay as the only way to load.

Standard library only, with our ``chance`` and ``refusal``. See README.md beside this file for how a game is written.
"""

from cardgames.engine.asks import CLOCK, DEADLINE, HOLD, PASS, Ask, AskAll, HandAsk, Window, reaction
from cardgames.engine.cards import Card, Face, Spots, Zone
from cardgames.engine.decks import Deck, DeckSchema, Group, Kind, Total, edit_deck, make_deck, read_deck, with_rows
from cardgames.engine.fields import fixed, places, public, secret
from cardgames.engine.game import AskSheet, Cannot, Choice, Game, Part, Result, ScoreLine, Script, View, pick_best
from cardgames.engine.live import Live
from cardgames.engine.options import Option, settle, switch
from cardgames.engine.record import UNDO, Record, straight
from cardgames.engine.sources import Forced, Imagined, Manual, Quick, Rng, Seeded, Source
from cardgames.engine.table import ALL, NONE, OWNER, Table
from cardgames.engine.view import OPEN
from cardgames.engine.words import Line, Words

__all__ = [
    "ALL",
    "CLOCK",
    "DEADLINE",
    "HOLD",
    "NONE",
    "OPEN",
    "OWNER",
    "PASS",
    "UNDO",
    "Ask",
    "AskAll",
    "AskSheet",
    "Cannot",
    "Card",
    "Choice",
    "Deck",
    "DeckSchema",
    "Face",
    "Forced",
    "Game",
    "Group",
    "HandAsk",
    "Imagined",
    "Kind",
    "Line",
    "Live",
    "Manual",
    "Option",
    "Part",
    "Quick",
    "Record",
    "Result",
    "Rng",
    "ScoreLine",
    "Script",
    "Seeded",
    "Source",
    "Spots",
    "Table",
    "Total",
    "View",
    "Window",
    "Words",
    "Zone",
    "edit_deck",
    "fixed",
    "make_deck",
    "pick_best",
    "places",
    "public",
    "reaction",
    "read_deck",
    "secret",
    "settle",
    "straight",
    "switch",
    "with_rows",
]
