"""Tables and decks as plain data, for fixtures: whoever has a record has every card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import Deck, DeckSchema, Record, complete_options, make_deck
from cardgames.games import find_game


def write_record(record: Record) -> dict[str, Any]:
    return {
        "game": record.game,
        "version": record.version,
        "deck": record.deck.as_json(),
        "seats": record.seats,
        "options": dict(record.options),
        "seed": record.seed.hex(),
        "manual": record.manual,
        "rows": [[seat, key] for seat, key in record.rows],
    }


def read_record(data: Mapping[str, Any]) -> Record:
    game = find_game(data["game"], data["version"])
    return Record(
        game.key,
        game.version,
        make_deck(game.schema, data["deck"]),
        data["seats"],
        complete_options(game.options, data["options"]),
        bytes.fromhex(data["seed"]),
        tuple((seat, key) for seat, key in data["rows"]),
        bool(data.get("manual", False)),
    )


def replace_rows(schema: DeckSchema, deck: Deck, group: str, rows: Sequence[Mapping[str, Any]], *, id: str) -> Deck:
    """A copy whose group holds these rows instead, all entered from printed cards; each row has an ``id``."""
    cards: list[Any] = [card for card in deck.as_json()["cards"] if card["group"] != group]
    for row in rows:
        values = {key: value for key, value in row.items() if key != "id"}
        cards.append({"id": row["id"], "group": group, "values": values, "sources": {"printed": list(values)}})
    return make_deck(schema, {**deck.as_json(), "id": id, "cards": cards})
