"""Slips by API: the code of a battle, a new one for a lost slip, and opening a battle by its three words."""

from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request
from rest_framework.views import APIView

from battles.api import BattleRow, list_row
from battles.models import Slip
from battles.slip import access_codes
from dataclass_json import Ask, Text
from pages.api.operations import SentAgain, operation
from people.api_tokens.scopes import PLAY
from people.passes.shown_secrets import link_address


@dataclass(frozen=True)
class SlipCode:
    api_name = "Slip"

    words: Annotated[tuple[str, ...], Ask("Words", "the three words printed on it")]
    address: Annotated[str, Ask("Address", "what its QR code opens; empty if there is no code yet")]


@dataclass(frozen=True)
class OpenByWords:
    api_name = "SlipWords"

    words: Annotated[str, Ask("Words", "the three words of a slip"), Text("The code", 200)]


def _show(request: Request, slip: Slip | None) -> SlipCode:
    address = link_address(request._request, slip.link) if slip else None
    words = access_codes.words_of(slip.link) if slip and address else ()
    return SlipCode(tuple(words), address or "")


class BattleSlip(APIView):
    scopes = {"GET": PLAY}  # whoever has the words can report

    @operation("battles_slip")
    def get(self, request: Request, code: str) -> SlipCode:
        """The words and address of a battle's slip, for whoever may report it. The paper is the sheet "slip"."""
        return _show(request, access_codes.find_slip(access_codes.get_battle_to_print(request.who, code)))

    @operation("battles_slip_renew", status=201)
    def post(self, request: Request, code: str) -> SlipCode:
        """A new code. The lost slip stops working."""
        battle = access_codes.get_battle_to_renew(request.who, code)
        return _show(request, access_codes.renew_slip(battle, request.who))


class OpenSlip(APIView):
    needs_no_log_in = ("POST",)

    @operation("battles_open_slip")
    def post(self, request: Request, sent: SentAgain[OpenByWords]) -> BattleRow:
        """Open the battle whose slip has these words. This token, or browser, can then report it."""
        return list_row(access_codes.open_by_words(request._request, sent.value.words))
