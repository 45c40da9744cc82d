"""The house decks and a group's own decks as JSON: read, copy, change, share, delete, import."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request
from rest_framework.views import APIView

from cardgames import selectors
from cardgames.decks import services
from cardgames.engine.deck_data import MAX_FILE, DeckJson
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy
from dataclass_json import Clean, Says, Text
from pages.api.operations import Sent, SentAgain, SentFileOnce, operation, schema_of_answer
from pages.api.parsers_and_renderers import FileParser
from pages.api_pagination import MAX_ROWS, Page, paginate_rows
from pages.fields.columns_and_rows import take


@dataclass(frozen=True, slots=True)
class CardDeckRow:
    """``code`` is empty for the house deck."""

    game: str
    code: str
    title: str


class CardDeck(DeckJson):
    """A deck as in its file: each card with its values and where they come from."""


class DeckList(APIView):
    needs_no_log_in = ("GET",)

    @operation("tables_decks_list")
    def get(self, request: Request) -> Page[CardDeckRow]:
        """The house decks, and the copies you can use."""
        rows = [CardDeckRow(key, "", house_deck(key).title) for key in SHELF]
        copies = DeckCopy.objects.visible_to(request.who).only("game", "code", "title").order_by("pk")
        rows += [take(CardDeckRow, copy) for copy in copies]
        return paginate_rows(request, rows, lambda row: row.code or row.game, list, most=MAX_ROWS)


class DeckDetail(APIView):
    needs_no_log_in = ("GET",)

    @operation("tables_decks_show")
    def get(self, request: Request, game: str) -> CardDeck:
        """The house deck of a game."""
        return house_deck(find_game(game).key).as_json()


# ── Copies ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DeckCopyRow:
    api_name = "DeckCopy"

    code: str
    game: str
    title: str
    use: DeckCopy.Use
    version: int


Title = Annotated[str, Text("The title", 1000, empty=True), Clean(str.strip)]


@dataclass(frozen=True, slots=True)
class CopyDeck:
    api_name = "NewCopy"

    deck: Annotated[str, Text("The deck", 40, empty=True), "code of a copy; empty for the house deck"] = ""
    title: Title = ""


@dataclass(frozen=True, slots=True)
class ChangeDeck:
    api_name = "DeckValues"

    values: Annotated[
        Mapping[str, Annotated[str, Text("The value", 2000, empty=True)]],
        "by card and value, as “falcon.points”; “new-animals.name” and so on add a card",
    ]
    version: Annotated[int, "the version you have seen"]
    title: Annotated[str, Text("The title", 1000), Clean(str.strip)] | None = None


@dataclass(frozen=True, slots=True)
class ShareDeck:
    api_name = "DeckUse"

    use: Annotated[DeckCopy.Use, Says(services.CHOOSE_USE)]


class CreateCopy(APIView):
    @operation("tables_deck_copy", status=201)
    def post(self, request: Request, game: str, sent: Sent[CopyDeck]) -> DeckCopyRow:
        """Copy the house deck, or another copy, to enter your printed cards."""
        request.who.require_person()
        key, wanted = find_game(game).key, sent.value
        deck = selectors.get_chosen_deck(request.who, key, wanted.deck)
        return take(DeckCopyRow, services.create_copy(request.who, deck, key=sent.key, title=wanted.title))


class CopyDetail(APIView):
    @operation("tables_deck_copy_show")
    def get(self, request: Request, copy: str) -> CardDeck:
        """A copy as its file."""
        return selectors.deck_of(selectors.get_visible_copy(request.who, copy)).as_json()

    @operation("tables_deck_copy_change")
    def patch(self, request: Request, copy: str, sent: SentAgain[ChangeDeck]) -> DeckCopyRow:
        """Change values of cards. One wrong value refuses them all."""
        row = selectors.get_own_copy(request.who, copy)
        wanted = sent.value
        form = {**wanted.values, **({"title": wanted.title} if wanted.title is not None else {})}
        return take(DeckCopyRow, services.change_values(request.who, row, form, seen=wanted.version))

    @operation("tables_deck_copy_delete")
    def delete(self, request: Request, copy: str) -> None:
        """Delete a copy. Games that began with it keep it."""
        services.delete_copy(request.who, selectors.get_visible_copy(request.who, copy))


class CopyUse(APIView):
    @operation("tables_deck_copy_share")
    def put(self, request: Request, copy: str, sent: SentAgain[ShareDeck]) -> DeckCopyRow:
        """Choose who can use the copy."""
        row = selectors.get_own_copy(request.who, copy)
        services.set_use(request.who, row, sent.value.use)
        return take(DeckCopyRow, row)


class SentDeck(SentFileOnce):
    content = {"application/json": schema_of_answer(CardDeck)}


class ImportDeck(APIView):
    parser_classes = (FileParser,)
    max_body = MAX_FILE + 1

    @operation("tables_deck_import", status=201)
    def post(self, request: Request, sent: SentDeck) -> DeckCopyRow:
        """Make a copy from a deck file. The same key makes it once."""
        request.who.require_person()
        deck = services.parse_deck_file(sent.value)
        return take(DeckCopyRow, services.create_copy(request.who, deck, key=sent.key))
