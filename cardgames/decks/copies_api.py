"""A group's own decks by API: copy, change, share, delete, import."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames.decks import selectors, services
from cardgames.decks.api import CardDeckSerializer
from cardgames.engine.deck_data import MAX_FILE, DeckJson
from cardgames.games import find_game
from cardgames.models import DeckCopy
from pages.api.answer_schema import answer_schema
from pages.api_parsers import FileParser, read_body


class DeckCopySerializer(serializers.ModelSerializer):
    class Meta:
        model = DeckCopy
        fields = ["code", "game", "title", "use", "version"]


class NewCopySerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    deck = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text="code of a copy; empty for the house deck"
    )
    title = serializers.CharField(max_length=1000, default="", allow_blank=True)


class DeckValuesSerializer(serializers.Serializer):
    version = serializers.IntegerField(help_text="the version you have seen")
    title = serializers.CharField(max_length=1000, required=False)
    values = serializers.DictField(
        child=serializers.CharField(max_length=2000, allow_blank=True),
        help_text="by card and value, as “falcon.points”; “new-animals.name” and so on add a card",
    )


class DeckUseSerializer(serializers.Serializer):
    use = serializers.ChoiceField(DeckCopy.Use.choices)


class CreateCopy(APIView):
    @extend_schema(request=NewCopySerializer, responses={201: DeckCopySerializer}, operation_id="tables_deck_copy")
    def post(self, request: Request, game: str) -> Response:
        """Copy the house deck, or another copy, to enter your printed cards."""
        request.who.require_person()
        found = find_game(game)
        sent = read_body(NewCopySerializer, request)
        deck = selectors.get_chosen_deck(request.who, found.key, sent["deck"])
        row = services.create_copy(request.who, deck, key=sent["key"], title=sent["title"])
        return Response(DeckCopySerializer(row).data, status=201)


class CopyDetail(APIView):
    @extend_schema(responses=CardDeckSerializer, operation_id="tables_deck_copy_show")
    def get(self, request: Request, copy: str) -> Response:
        """A copy as its file."""
        return Response(selectors.deck_of(selectors.get_visible_copy(request.who, copy)).as_json())

    @extend_schema(request=DeckValuesSerializer, responses=DeckCopySerializer, operation_id="tables_deck_copy_change")
    def patch(self, request: Request, copy: str) -> Response:
        """Change values of cards. One wrong value refuses them all."""
        row = selectors.get_own_copy(request.who, copy)
        sent = read_body(DeckValuesSerializer, request)
        form = {**sent["values"], **({"title": sent["title"]} if "title" in sent else {})}
        changed = services.change_values(request.who, row, form, seen=sent["version"])
        return Response(DeckCopySerializer(changed).data)

    @extend_schema(responses={204: None}, operation_id="tables_deck_copy_delete")
    def delete(self, request: Request, copy: str) -> Response:
        """Delete a copy. Games that began with it keep it."""
        services.delete_copy(request.who, selectors.get_visible_copy(request.who, copy))
        return Response(status=204)


class CopyUse(APIView):
    @extend_schema(request=DeckUseSerializer, responses=DeckCopySerializer, operation_id="tables_deck_copy_share")
    def put(self, request: Request, copy: str) -> Response:
        """Choose who can use the copy."""
        row = selectors.get_own_copy(request.who, copy)
        services.set_use(request.who, row, read_body(DeckUseSerializer, request)["use"])
        row.refresh_from_db()
        return Response(DeckCopySerializer(row).data)


class ImportDeck(APIView):
    parser_classes = (FileParser,)
    max_body = MAX_FILE + 1

    @extend_schema(
        parameters=[OpenApiParameter("key", str, required=True, description="a new key for each deck")],
        request={"application/json": answer_schema(DeckJson)},
        responses={201: DeckCopySerializer},
        operation_id="tables_deck_import",
    )
    def post(self, request: Request) -> Response:
        """Make a copy from a deck file. The same key makes it once."""
        request.who.require_person()
        found = services.parse_deck_file(request.data or b"")  # without a body, DRF parses nothing
        row = services.create_copy(request.who, found, key=request.query_params.get("key", ""))
        return Response(DeckCopySerializer(row).data, status=201)
