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
)
from cardgames.engine.game_definition import (
    BlockedChoice,
    Choice,
    Ending,
    EndingLine,
    Game,
    Option,
    Part,
    QuestionDisplay,
    Result,
    ScoreLine,
    Script,
    SeatScore,
    Side,
    complete_options,
    pick_best,
    switch,
)
from cardgames.engine.public_and_secret_fields import (
    ALL,
    NONE,
    OWNER,
    fixed,
    public,
    seat_spots,
    seat_zones,
    secret,
    table_spots,
    table_zone,
)
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
from cardgames.engine.table_state import Table

# What a game is
__all__ = ["BlockedChoice", "Choice", "Game", "Option", "Part", "QuestionDisplay", "Script", "complete_options"]
__all__ += ["pick_best", "switch"]
# Questions and answers
__all__ += ["CLOCK", "DEADLINE", "HOLD", "PASS", "UNDO", "HandQuestion", "Question", "QuestionGroup"]
__all__ += ["ReactionWindow", "ask_for_reactions"]
# Cards, and the table they lie on
__all__ += ["ALL", "NONE", "OWNER", "Card", "Face", "Spots", "Table", "Zone", "fixed", "public", "seat_spots"]
__all__ += ["seat_zones", "secret", "table_spots", "table_zone"]
# Decks
__all__ += ["CardGroup", "Deck", "DeckSchema", "DeckTotal", "ValueKind", "edit_deck", "make_deck", "read_deck"]
# Chance
__all__ += ["FastRng", "ForcedSource", "ImaginedSource", "ManualSource", "RandomSource", "Rng", "SeededSource"]
# A table as it is stored, played and seen
__all__ += ["OPEN", "Record", "RunningTable", "View", "without_undone"]
# Words and results
__all__ += ["Ending", "EndingLine", "EventSentence", "Result", "ScoreLine", "SeatScore", "SentenceBuilder", "Side"]
__all__ += ["distinct_labels"]
