"""The card-table engine: rules as generators, zones with visibility, one view per seat, replay as the only way to load.

Standard library only, with our ``chance`` and ``refusal``. See README.md beside this file for how a game is written.
"""

from cardgames.engine.cards import Card, Face, Spots, Zone
from cardgames.engine.deck_data import (
    CardGroup,
    Deck,
    DeckSchema,
    DeckTotal,
    ValueKind,
    edit_deck,
    make_deck,
    read_deck,
    replace_rows,
)
from cardgames.engine.game_definition import (
    BlockedChoice,
    Choice,
    Ending,
    EndingLine,
    Game,
    Part,
    QuestionDisplay,
    Result,
    ScoreLine,
    Script,
    SeatScore,
    Side,
    pick_best,
)
from cardgames.engine.options import Option, complete_options, switch
from cardgames.engine.public_and_secret_fields import fixed, places, public, secret
from cardgames.engine.questions import (
    CLOCK,
    DEADLINE,
    HOLD,
    PASS,
    HandQuestion,
    Question,
    QuestionGroup,
    ReactionWindow,
    ask_for_reactions,
)
from cardgames.engine.randomness import (
    FastRng,
    ForcedSource,
    ImaginedSource,
    ManualSource,
    RandomSource,
    Rng,
    SeededSource,
)
from cardgames.engine.running_table import RunningTable
from cardgames.engine.seat_view import OPEN, View
from cardgames.engine.sentences import EventSentence, SentenceBuilder, distinct_labels
from cardgames.engine.stored_record import UNDO, Record, without_undone
from cardgames.engine.table_state import ALL, NONE, OWNER, Table

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
    "BlockedChoice",
    "Card",
    "CardGroup",
    "Choice",
    "Deck",
    "DeckSchema",
    "DeckTotal",
    "Ending",
    "EndingLine",
    "EventSentence",
    "Face",
    "FastRng",
    "ForcedSource",
    "Game",
    "HandQuestion",
    "ImaginedSource",
    "ManualSource",
    "Option",
    "Part",
    "Question",
    "QuestionDisplay",
    "QuestionGroup",
    "RandomSource",
    "ReactionWindow",
    "Record",
    "Result",
    "Rng",
    "RunningTable",
    "ScoreLine",
    "Script",
    "SeatScore",
    "SeededSource",
    "SentenceBuilder",
    "Side",
    "Spots",
    "Table",
    "ValueKind",
    "View",
    "Zone",
    "ask_for_reactions",
    "complete_options",
    "distinct_labels",
    "edit_deck",
    "fixed",
    "make_deck",
    "pick_best",
    "places",
    "public",
    "read_deck",
    "replace_rows",
    "secret",
    "switch",
    "without_undone",
]
