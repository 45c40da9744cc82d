"""Your move, and what was played, as JSON."""

from rest_framework.request import Request
from rest_framework.views import APIView

from home.selectors import Evening, list_evenings, list_home_items
from pages.api.operations import operation
from pages.home_items import HomeItems


class YourMove(APIView):
    @operation("your_move")
    def get(self, request: Request) -> HomeItems:
        """What is waiting for you, what the others are waiting for, and tonight."""
        request.who.require_person()
        return list_home_items(request._request)


class EveningList(APIView):
    @operation("evenings")
    def get(self, request: Request) -> tuple[Evening, ...]:
        """Your newest games, by evening."""
        evenings = list_evenings(request.who)
        return (*evenings.shown, *evenings.folded)
